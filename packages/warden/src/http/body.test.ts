import { expect, test } from "bun:test";
import type { ErrorCode } from "@hearth/protocol";
import { MAX_BODY_SIZE } from "@hearth/protocol/api";
import { allOperations } from "@hearth/protocol/operations";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createFakeHouse, type FakeHouse } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();
const open = (): Promise<FakeHouse> => createFakeHouse(createFakeWorld({ hash }));
const MESSAGES = "/api/rooms/hall/messages";
const json = { "content-type": "application/json" };
const naughty: readonly string[] = (
  await Bun.file(new URL("../../../../tests/fixtures/blns.json", import.meta.url)).json()
).items;

const nested = (levels: number): string => `{"text":${"[".repeat(levels)}${"]".repeat(levels)}}`;
type Init = Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> };

const chunks = (...parts: readonly (string | Uint8Array)[]): Init =>
  ({
    duplex: "half",
    body: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(typeof part === "string" ? new TextEncoder().encode(part) : part);
        controller.close();
      },
    }),
  }) as Init;

const refused: Readonly<Record<string, readonly [Init, ErrorCode]>> = {
  "no body at all": [{ headers: {} }, "request.unsupported"],
  "no content type": [{ body: new TextEncoder().encode(`{"text":"x"}`), headers: {} }, "request.unsupported"],
  "text/plain, as a page of another site could send": [
    { body: `{"text":"x"}`, headers: { "content-type": "text/plain" } },
    "request.unsupported",
  ],
  "a form": [
    { body: "text=x", headers: { "content-type": "application/x-www-form-urlencoded" } },
    "request.unsupported",
  ],
  "a compressed body": [{ body: "x", headers: { ...json, "content-encoding": "gzip" } }, "request.unsupported"],
  "a length over the limit": [{ body: "x".repeat(MAX_BODY_SIZE + 1), headers: json }, "request.too-large"],
  "more than the limit without a length": [
    { ...chunks("x".repeat(MAX_BODY_SIZE), "x"), headers: json },
    "request.too-large",
  ],
  "a length that chunks belie": [
    {
      ...chunks("x".repeat(MAX_BODY_SIZE), "x"),
      headers: { ...json, "content-length": "5", "transfer-encoding": "chunked" },
    },
    "request.too-large",
  ],
  "an empty body": [{ body: "", headers: json }, "request.invalid"],
  "half of a JSON text": [{ body: `{"text":`, headers: json }, "request.invalid"],
  "not UTF-8": [{ body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), headers: json }, "request.invalid"],
  "UTF-8 that is cut": [{ ...chunks(`{"text":"`, new Uint8Array([0xe2, 0x82])), headers: json }, "request.invalid"],
  "half of a surrogate pair": [{ body: `{"text":"\\ud800"}`, headers: json }, "request.invalid"],
  "half of a surrogate pair in a key": [
    { body: `{"text":"x","idempotencyKey":"\\uDEAD"}`, headers: json },
    "request.invalid",
  ],
  "65 levels": [{ body: nested(64), headers: json }, "request.invalid"],
  "10,000 levels": [{ body: nested(10_000), headers: json }, "request.invalid"],
  "10,000 levels that never close": [{ body: "[".repeat(10_000), headers: json }, "request.invalid"],
  "200,000 levels of objects": [{ body: `{"":`.repeat(200_000), headers: json }, "request.invalid"],
  "an array": [{ body: "[]", headers: json }, "request.invalid"],
  null: [{ body: "null", headers: json }, "request.invalid"],
  "a number for the text": [{ body: `{"text":5}`, headers: json }, "request.invalid"],
  "an empty text": [{ body: `{"text":""}`, headers: json }, "request.invalid"],
  "a text that is too long": [
    { body: JSON.stringify({ text: "x".repeat(200_001) }), headers: json },
    "request.invalid",
  ],
  "an unknown field": [{ body: `{"text":"x","scopes":["admin"]}`, headers: json }, "request.invalid"],
  "a prototype": [{ body: `{"text":"x","__proto__":{"author":"x"}}`, headers: json }, "request.invalid"],
  "an author": [{ body: `{"text":"x","author":"agent_0"}`, headers: json }, "request.invalid"],
};

test.each(Object.entries(refused))(
  "%s is refused with a named error and leaves nothing in the room",
  async (_, [init, code]) => {
    const house = await open();
    const response = await house.http.handle(
      new Request("http://127.0.0.1:18789" + MESSAGES, {
        method: "POST",
        ...init,
        headers: { host: "127.0.0.1:18789", authorization: `Bearer ${house.key}`, ...init.headers },
      }),
    );
    expect((await response.json()).error).toMatchObject({ code, message: expect.stringMatching(/\w/) });
    expect(await house.options.kernel.streams.head(`room:${house.room.id}`)).toBe(0);
    expect(house.lines).toEqual([]);
  },
);

test("a refusal names the place and the field", async () => {
  const house = await open();
  const message = async (path: string, init?: RequestInit): Promise<string> =>
    (await (await house.call(path, init)).json()).error.message;
  expect(await message(MESSAGES, { method: "POST", body: `{"text":5}` })).toStartWith(`body "text": `);
  expect(await message(`${MESSAGES.replace("messages", "events")}?limit=0`)).toStartWith(`query "limit": `);
  expect(await message("/api/activations/x")).toStartWith(`path "id": `);
});

test("64 levels are accepted, and brackets in strings and escaped quotes do not count", async () => {
  const house = await open();
  const text = `${"[{".repeat(100)}"\\"${"[".repeat(100)}`;
  const response = await house.call(MESSAGES, { method: "POST", body: JSON.stringify({ text }) });
  expect((await response.json()).body.text).toBe(text);
  const patch = { method: "PATCH", body: `{"content":{"description":${"[".repeat(62)}${"]".repeat(62)}}}` };
  expect((await (await house.call("/api/rooms/hall", patch)).json()).error.code).toBe("record.invalid");
});

test("a body that does not arrive in time is refused", async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const reading = Promise.withResolvers<void>();
  const never = new ReadableStream(
    {
      pull() {
        reading.resolve();
        return new Promise(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  const answering = house.call(MESSAGES, { method: "POST", body: never, headers: json, duplex: "half" } as RequestInit);
  await reading.promise;
  await world.advance(30_000);
  expect((await answering).status).toBe(408);
});

test("an incomplete body is a client error and not a bug", async () => {
  const house = await open();
  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error("connection reset")),
  });
  const response = await house.call(MESSAGES, {
    method: "POST",
    body: broken,
    headers: json,
    duplex: "half",
  } as RequestInit);
  expect([response.status, house.lines]).toEqual([400, []]);
});

test("escaped emoji, U+0000 and backslashes before a u are ordinary text", async () => {
  const house = await open();
  const texts = ["\ud83d\ude00", "\u0000", "\\ud800", "\\\\ud800 \ud83d\ude00"];
  for (const text of texts) {
    const body = `{"text":${JSON.stringify(text).replace("\ud83d\ude00", "\\ud83d\\ude00")}}`;
    const response = await house.call(MESSAGES, { method: "POST", body });
    expect([text, (await response.json()).body?.text]).toEqual([text, text]);
  }
});

const MUST_BE_TYPED = [400, 404, 405, 409, 410];

test("every naughty string comes back from a room unchanged", async () => {
  const house = await open();
  const sent = naughty.filter((text) => text !== "");
  for (const text of sent) {
    const response = await house.call(MESSAGES, { method: "POST", body: JSON.stringify({ text }) });
    expect([text, response.status]).toEqual([text, 201]);
  }
  const page = await (await house.call("/api/rooms/hall/events?limit=1000")).json();
  expect(page.events.map((event: { body: { text: string } }) => event.body.text)).toEqual(sent);
});

test("every naughty string as a name, key or path is accepted or refused with a named error, never a bug", async () => {
  const house = await open();
  const post = (path: string, body: unknown): Promise<Response> =>
    house.call(path, { method: "POST", body: JSON.stringify(body) });
  for (const text of naughty) {
    const segment = encodeURIComponent(text);
    const answers = [
      await post("/api/rooms", { content: { name: text } }),
      await post("/api/agents", { content: { name: text, kind: "bot", model: text } }),
      await post("/api/agents", { content: { name: text, kind: "human", timezone: text } }),
      await post(MESSAGES, { text: "x", idempotencyKey: text }),
      await post(MESSAGES, { text: "x", replyTo: text }),
      await post("/api/keys", { name: text }),
      await post("/api/providers", { name: text, kind: text, baseUrl: text }),
      await house.call(`/api/rooms/${segment}`),
      await house.call(`/api/agents/${segment}/log`),
      await house.call(`/api/activations/${segment}`),
      await house.call(`/api/rooms/hall/events?after=${segment}&limit=${segment}&${segment}=${segment}`),
      await house.call(`/api/rooms/hall/events`, {
        headers: { "last-event-id": segment, accept: "text/event-stream" },
      }),
      await house.call(`/${segment}`),
      await house.call(`/login?code=${segment}`),
    ];
    for (const response of answers) {
      const { status } = response;
      expect([text, status < 400 || MUST_BE_TYPED.includes(status)]).toEqual([text, true]);
      if (status >= 400)
        expect([text, (await response.json()).error.code]).toEqual([
          text,
          expect.stringMatching(/^(request|record|activation|stream)\./),
        ]);
    }
  }
  expect(house.lines).toEqual([]);
});

test("every naughty string as a chat partner's name is refused with a named error", async () => {
  const house = await open();
  for (const agentName of naughty) {
    const { status } = await house.call("/api/chat", {
      method: "POST",
      body: JSON.stringify({ agentName, message: "hi" }),
    });
    expect([agentName, MUST_BE_TYPED.includes(status)]).toEqual([agentName, true]);
  }
});

test("a target with an invalid UTF-8 escape is refused", async () => {
  const house = await open();
  for (const path of ["/api/rooms/%ff", "//%ff%00", "/%", "/api/rooms/%e0%a4"]) {
    expect([path, (await house.call(path)).status]).toEqual([path, 400]);
  }
});

test("an unknown path and an unsupported method have different errors", async () => {
  const house = await open();
  expect((await house.call("/api/nothing")).status).toBe(404);
  for (const method of ["PUT", "DELETE", "OPTIONS"]) {
    const response = await house.call("/api/rooms", { method });
    expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "GET, POST"]);
    expect((await response.json()).error.code).toBe("request.method");
  }
  expect((await house.call("/healthz", { method: "POST" })).status).toBe(405);
});

test("a refused method lists the methods of every path", async () => {
  const house = await open();
  // Clients of uploads ask for the protocol's version by `OPTIONS`.
  const withoutOptions = allOperations.filter(({ path }) => !path.startsWith("/api/uploads"));
  for (const [path, operations] of Object.entries(Object.groupBy(withoutOptions, ({ path: each }) => each))) {
    const concrete = path.replaceAll(/\{[^}]+\}/g, "x");
    const allowed = (await house.call(concrete, { method: "OPTIONS" })).headers.get("allow")?.split(", ") ?? [];
    expect([path, allowed]).toEqual([
      path,
      expect.arrayContaining((operations ?? []).map(({ method }) => method)) as never,
    ]);
  }
});

test("a bug is written to the log only, without the request", async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world, {
    reports: { doctor: () => Promise.reject(new TypeError("undefined is not a function")) },
  });
  const response = await house.call("/api/doctor?secret=canary");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("undefined is not");
  const [line = ""] = house.lines;
  expect(JSON.parse(line)).toMatchObject({
    level: "error",
    method: "GET",
    path: "/api/doctor",
    error: { stack: expect.stringContaining("TypeError") },
  });
  expect(line).not.toContain("canary");
  expect(line).not.toContain(house.key);
});
