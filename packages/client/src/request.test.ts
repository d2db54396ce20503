/** Requests to a house: what is sent, and which error each kind of failure is. */
import { describe, expect, test } from "bun:test";
import { HearthError, isHearthError } from "@hearth/protocol";
import { type Connection, readError, request, requestJson, type RequestOptions, type Schema } from "./request.ts";

const BASE = "http://house.test";

interface Sent {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Headers;
  readonly body: unknown;
}

const open = (answers: readonly (Response | Error)[] = [], more: Partial<Connection> = {}) => {
  const sent: Sent[] = [];
  const left = [...answers];
  const connection: Connection = {
    baseUrl: BASE,
    async fetch(url, init) {
      sent.push({
        url: new Request(url).url,
        method: init?.method,
        headers: new Headers(init?.headers),
        body: init?.body,
      });
      const answer = left.shift() ?? Response.json({});
      if (answer instanceof Error) throw answer;
      return answer;
    },
    ...more,
  };
  const ask = (path = "/api/me", options?: RequestOptions) => request(connection, "GET", path, options);
  return { sent, connection, ask };
};

const refusal = (error: object, status = 403): Response => Response.json({ error }, { status });
const failureOf = async (work: Promise<unknown>): Promise<HearthError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HearthError)) throw new Error(`no error of Hearth: ${String(error)}`);
  return error;
};

describe("a request", () => {
  test("has its query without missing values, its token and its headers", async () => {
    const { sent, ask } = open([], { token: "secret" });
    await ask("/api/me", { query: { limit: 0, after: undefined, name: "a b" }, headers: { "x-one": "1" } });
    expect(sent[0]?.url).toBe(`${BASE}/api/me?limit=0&name=a+b`);
    const { headers, body, method } = sent[0]!;
    expect([method, body, headers.get("authorization"), headers.get("x-one"), headers.get("content-type")]).toEqual([
      ...["GET", undefined, "Bearer secret", "1", null],
    ]);
    expect(headers.get("accept")).toBe("application/json");
  });

  test("without a token sends none, and another type of answer if it is requested", async () => {
    const { sent, ask } = open();
    await ask("/api/me", { accept: "text/event-stream" });
    expect([sent[0]?.headers.has("authorization"), sent[0]?.headers.get("accept")]).toEqual([
      false,
      "text/event-stream",
    ]);
  });

  test("has a body in JSON, or bytes with the type of the caller", async () => {
    const { sent, connection } = open();
    await request(connection, "POST", "/api/a", { body: { a: 1 } });
    const bytes = new Uint8Array([1]);
    await request(connection, "PUT", "/api/a", { bytes, headers: { "content-type": "image/png" } });
    expect(sent.map(({ method, body, headers }) => [method, body, headers.get("content-type")])).toEqual([
      ["POST", '{"a":1}', "application/json"],
      ["PUT", bytes, "image/png"],
    ]);
  });

  test.each(["/api//me", "/api/./me", "/api/../me", "/api/me/", "/"])("is not sent to %j", async (path) => {
    const { sent, ask } = open();
    const { code, message } = await failureOf(ask(path));
    expect([code, sent.length]).toEqual(["request.invalid", 0]);
    expect(message).toStartWith(`${path} is not a valid path`);
  });

  test.each(["/api/...", "/api/.a"])("is sent to %j", async (path) => {
    const { sent, ask } = open();
    await ask(path);
    expect(sent).toHaveLength(1);
  });
});

describe("a failure", () => {
  test("of the connection names the address and how to start the house", async () => {
    const { code, message, hint } = await failureOf(open([new TypeError("refused")]).ask());
    expect([code, message, hint]).toEqual([
      ...["house.unreachable", `Hearth does not answer at ${BASE}.`, "Start it: hearth up"],
    ]);
  });

  test("of the body of an answer is a failure of the connection", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("cut off")) });
    const { connection } = open([new Response(body)]);
    const anything: Schema<unknown> = { safeParse: (data) => ({ success: true, data }) };
    expect((await failureOf(requestJson(connection, anything, "GET", "/api/me"))).code).toBe("house.unreachable");
  });

  test.each([
    [502, "house.unreachable"],
    [500, "house.unreachable"],
    [499, "house.incompatible"],
    [404, "house.incompatible"],
  ])("with status %p without an error of Hearth is %s", async (status, code) => {
    const error = await failureOf(open([new Response("<html>", { status })]).ask());
    expect([error.code as string, error.message]).toEqual([
      code,
      `${BASE} answered with status ${status}, and not as Hearth answers.`,
    ]);
  });

  test("is an answer that does not have the expected form", async () => {
    const never: Schema<unknown> = { safeParse: () => ({ success: false, error: { message: "no" } }) };
    const { connection } = open([Response.json({}), new Response("{")]);
    for (let count = 0; count < 2; count += 1) {
      const error = await failureOf(requestJson(connection, never, "GET", "/api/me"));
      expect([error.code as string, error.message]).toEqual([
        "house.incompatible",
        `GET /api/me at ${BASE} did not answer as the protocol specifies.`,
      ]);
    }
  });
});

describe("a request that needs a fresh login", () => {
  const stale = () => refusal({ code: "auth.stale", message: "Confirm who you are." }, 401);

  test.each([
    [true, 2],
    [false, 1],
  ])("is sent again only if the user confirms: %p", async (isConfirmed, times) => {
    const { sent, ask } = open([stale()], { confirmLogin: async () => isConfirmed });
    const outcome = await ask().then(
      () => "answered",
      (error: unknown) => isHearthError(error, "auth.stale"),
    );
    expect([sent.length, outcome]).toEqual([times, isConfirmed ? "answered" : true]);
  });

  test("is sent again once, and other refusals ask for nothing", async () => {
    let asked = 0;
    const confirmLogin = async () => ((asked += 1), true);
    const twice = open([stale(), stale()], { confirmLogin });
    expect((await failureOf(twice.ask())).code).toBe("auth.stale");
    expect([asked, twice.sent.length]).toEqual([1, 2]);
    const denied = open([refusal({ code: "auth.denied", message: "No." })], { confirmLogin });
    expect((await failureOf(denied.ask())).code).toBe("auth.denied");
    expect([asked, denied.sent.length]).toEqual([1, 1]);
    expect((await failureOf(open([stale()]).ask())).code).toBe("auth.stale");
  });
});

describe("an error in JSON", () => {
  test("has its hint, its remedy and its time, as far as they are known", () => {
    const error = { code: "auth.limited", message: "Wait.", hint: "Soon.", retryAfterMs: 0 };
    expect(readError({ error })).toMatchObject({ ...error });
    expect(readError({ error: { code: "auth.limited", message: "Wait.", hint: 1, retryAfterMs: "1" } })).toMatchObject({
      ...{ code: "auth.limited", hint: undefined },
    });
  });

  test("with a code that this client does not know names the code", () => {
    const error = readError({ error: { code: "future.code", message: "It is new.", hint: "Update." } });
    expect([error?.code as string, error?.message, error?.hint]).toEqual([
      ...["house.incompatible", "It is new. (future.code)", "Update."],
    ]);
  });

  test("has a remedy only if it is known, with its provider", () => {
    const remedyOf = (remedy: unknown) =>
      readError({ error: { code: "provider.auth", message: "No key.", remedy } })?.remedy;
    for (const remedy of [undefined, null, "x", {}, { code: "unknown" }]) expect(remedyOf(remedy)).toBeUndefined();
    expect(remedyOf({ code: "check-provider", provider: "den" })).toEqual({ code: "check-provider", provider: "den" });
    expect(remedyOf({ code: "check-provider", provider: 1 })).toEqual({ code: "check-provider" });
  });

  test.each([
    undefined,
    null,
    "error",
    {},
    { error: null },
    { error: "x" },
    { error: { code: "auth.denied" } },
    { error: { message: "No." } },
    { error: { code: 1, message: "No." } },
    { error: { code: "auth.denied", message: 1 } },
  ])("is no error: %j", (body) => {
    expect(readError(body)).toBeUndefined();
  });
});
