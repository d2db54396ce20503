import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import type { OpenApiDocument } from "./docs/open-api.ts";
import { redeem } from "../fixtures/redeem.ts";
import { createFakeHouse, type FakeHouse, HOST, RUN_TOKEN } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();
const open = (): Promise<FakeHouse> => createFakeHouse(createFakeWorld({ hash }));

/** Every operation of the port's own description, with a value for each parameter. */
const operationsOf = async (house: FakeHouse) => {
  const { paths } = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      path: path
        .replace("{room}", house.room.id)
        .replace(/\{(of|agent|name)\}/, "main")
        .replace("{id}", "x"),
      init: { method: method.toUpperCase(), ...(operation.requestBody === undefined ? {} : { body: "{}" }) },
      needs: operation["x-needs"],
    })),
  );
};

const loggedIn = async (house: FakeHouse): Promise<string> => {
  const session = await redeem(house.options.people.logins, house.options.people.logins.offer(house.owner.id).code);
  return `theme=dark; hearth_session=${session?.cookie}`;
};

const codeOf = async (response: Response): Promise<string> => (await response.json()).error.code;

test("the port has the documented operations", async () => {
  const names = (await operationsOf(await open())).map(({ name }) => name);
  for (const type of ["houses", "rooms", "agents"]) {
    expect(names).toContain(`get /api/${type}`);
    for (const method of ["get", "patch", "delete"]) expect(names).toContain(`${method} /api/${type}/{id}`);
  }
  expect(names.length).toBeGreaterThan(35);
});

test("only health, readiness, login pages, invites, UI, webhooks and wake tokens' paths are open", async () => {
  const operations = await operationsOf(await open());
  const names = operations.filter(({ needs }) => needs === "nothing").map(({ name }) => name);
  expect(names.toSorted()).toEqual([
    "get /",
    "get /api/login/oidc",
    "get /api/login/oidc/{provider}",
    "get /api/login/oidc/{provider}/callback",
    "get /healthz",
    "get /login",
    "get /readyz",
    "get /v1/stream/__ds/jwks.json",
    "post /hooks/jobs/{id}",
    "post /hooks/{channel}",
    "post /invite",
    "post /invite/preview",
    "post /login",
    "post /login/passkey",
    "post /v1/stream/__ds/subscriptions/{id}/ack",
    "post /v1/stream/__ds/subscriptions/{id}/callback",
    "post /v1/stream/__ds/subscriptions/{id}/release",
  ]);
});

test("every operation except the open ones needs a credential, whatever the peer's address", async () => {
  const house = await open();
  for (const { name, path, init, needs } of await operationsOf(house)) {
    const headers = {
      authorization: "",
      "x-forwarded-for": "127.0.0.1",
      forwarded: "for=127.0.0.1",
      "x-real-ip": "::1",
    };
    if (needs === "nothing") continue;
    const response = await house.call(path, { ...init, headers });
    expect([name, response.status, await codeOf(response)]).toEqual([name, 401, "auth.missing"]);
  }
});

test("A2: no operation answers another site's page, another host, or a page without an origin", async () => {
  const house = await open();
  const refused: readonly [Record<string, string>, number, string][] = [
    [{ origin: "http://evil.example" }, 403, "auth.origin"],
    [{ origin: "null" }, 403, "auth.origin"],
    [{ origin: "" }, 403, "auth.origin"],
    [{ origin: `http://${HOST}.evil.example` }, 403, "auth.origin"],
    [{ origin: `https://${HOST}` }, 403, "auth.origin"],
    [{ origin: "http://127.0.0.1:1" }, 403, "auth.origin"],
    [{ "sec-fetch-site": "cross-site" }, 403, "auth.origin"],
    [{ host: "evil.example" }, 421, "auth.host"],
    [{ host: `${HOST}, ${HOST}` }, 421, "auth.host"],
    [{ host: "127.0.0.1" }, 421, "auth.host"],
  ];
  for (const { name, path, init } of await operationsOf(house)) {
    for (const [headers, status, code] of refused) {
      // Chat platforms and callers of job webhooks name the host that they know.
      if (name.startsWith("post /hooks/") && code === "auth.host") continue;
      const response = await house.call(path, { ...init, headers });
      expect([name, headers, response.status, await codeOf(response)]).toEqual([name, headers, status, code]);
    }
  }
  expect(house.stops()).toBe(0);
});

test("a link on another site may lead to the UI and the login page only", async () => {
  const house = await open();
  const followed = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  const follow = async (
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<number> =>
    (await house.call(path, { ...init, headers: { authorization: "", ...followed, ...init.headers } })).status;
  expect(await follow("/")).toBe(302);
  expect(await follow("/ui")).toBe(308);
  for (const path of ["/ui/", "/ui/rooms/x", "/login?code=x"]) expect([path, await follow(path)]).toEqual([path, 200]);

  for (const path of ["/docs", "/healthz", "/api/rooms", "/openapi.json", "/loginx", "/uix", "/logout", "/ws"])
    expect([path, await follow(path)]).toEqual([path, 403]);
  for (const path of ["/", "/ui/", "/login?code=x"]) {
    const others: Parameters<typeof follow>[1][] = [
      { method: "POST", body: "" },
      { method: "HEAD" },
      { headers: { origin: "http://evil.example" } },
      { headers: { "sec-fetch-mode": "no-cors" } },
      { headers: { "sec-fetch-mode": "cors" } },
      ...["iframe", "frame", "embed", "object", "script", "image", "empty"].map((dest) => ({
        headers: { "sec-fetch-dest": dest },
      })),
    ];
    for (const init of others) expect([path, init, await follow(path, init)]).toEqual([path, init, 403]);
  }
});

test("a page of this house is answered under each of its names", async () => {
  const house = await open();
  const headers = { host: HOST.toUpperCase(), origin: `http://${HOST}`, "sec-fetch-site": "same-origin" };
  expect((await house.call("/api/rooms", { headers })).status).toBe(200);
});

test("a key, the run token and a login are credentials; a name in a URL, and wrong or malformed ones, are not", async () => {
  const house = await open();
  const cookie = await loggedIn(house);
  const good = [{ authorization: `Bearer ${house.key}` }, { authorization: `bearer ${RUN_TOKEN}` }, { cookie }];
  for (const headers of good) expect((await house.call("/api/rooms", { headers })).status).toBe(200);
  const bad: readonly [Record<string, string>, string][] = [
    [{ authorization: "Bearer hearth_wrong" }, "auth.invalid"],
    [{ authorization: "Bearer " }, "auth.invalid"],
    [{ authorization: `Basic ${btoa(`owner:${house.key}`)}` }, "auth.invalid"],
    [{ authorization: `Bearer ${"x".repeat(10_000)}` }, "auth.invalid"],
    [{ authorization: "Bearer wrong", cookie }, "auth.invalid"],
    [{ cookie: "hearth_session=wrong" }, "auth.invalid"],
    [{ cookie: "hearth_session=" }, "auth.missing"],
    [{ cookie: `other=${house.key}` }, "auth.missing"],
  ];
  for (const [headers, code] of bad) {
    const response = await house.call("/api/rooms", { headers });
    expect([headers, response.status, await codeOf(response)]).toEqual([headers, 401, code]);
  }
  const inUrl = await house.call(`/api/rooms?token=${house.key}&access_token=${house.key}&key=${house.key}`, {
    headers: { authorization: "" },
  });
  expect(inUrl.status).toBe(401);
});

test("up to four session cookies are tried, so an old one does not lock out a browser", async () => {
  const house = await open();
  const [good = ""] = /hearth_session=.*/.exec(await loggedIn(house)) ?? [];
  const stale = (count: number): string =>
    Array.from({ length: count }, (_, index) => `hearth_session=stale-${index}; `).join("");
  const statusOf = async (cookie: string): Promise<number> =>
    (await house.call("/api/rooms", { headers: { cookie } })).status;
  expect(await statusOf(stale(1) + good)).toBe(200);
  expect(await statusOf(stale(3) + good)).toBe(200);
  expect(await statusOf(stale(4) + good)).toBe(401);
  expect(await statusOf(`hearth_session=; ${good}`)).toBe(200);
  expect(await statusOf(stale(2))).toBe(401);
});

test("a login changes things only from a page of this house", async () => {
  const house = await open();
  const cookie = await loggedIn(house);
  const post = (headers: Record<string, string>): Promise<Response> =>
    house.call("/api/stop", { method: "POST", headers: { cookie, ...headers } });
  expect((await post({})).status).toBe(403);
  expect((await post({ "sec-fetch-site": "none" })).status).toBe(403);
  expect((await post({ "sec-fetch-site": "same-site" })).status).toBe(403);
  expect(house.stops()).toBe(0);
  expect((await post({ "sec-fetch-site": "same-origin" })).status).toBe(202);
  expect((await post({ origin: `http://${HOST}` })).status).toBe(202);
});

test("a login opens a socket only from a page of this house", async () => {
  const house = await open();
  const cookie = await loggedIn(house);
  const admit = (headers: Record<string, string>) =>
    house.http.admit(house.request("/ws", { headers: { cookie, upgrade: "websocket", ...headers } }));
  expect(await admit({})).toHaveProperty("refusal");
  expect(await admit({ origin: "http://evil.example" })).toHaveProperty("refusal");
  expect(await admit({ origin: `http://${HOST}` })).toHaveProperty("caller.principal.via", "login");
});

test("a socket has one path", async () => {
  const house = await open();
  expect(await house.http.admit(house.request("/api/rooms"))).toHaveProperty("refusal.status", 404);
  expect(await house.http.admit(house.request("/ws?token=x"))).toHaveProperty("caller.principal.agent", house.owner.id);
});

test("a revoked key is refused on the next request", async () => {
  const house = await open();
  const [record] = await house.options.people.keys.list();
  if (record === undefined) throw new Error("no key");
  await house.options.people.keys.revoke(record.id, house.owner.id);
  const headers = { authorization: `Bearer ${house.key}` };
  expect((await house.call("/api/rooms", { headers })).status).toBe(401);
});

test("the caller is identified before the body is read", async () => {
  const house = await open();
  let pulled = false;
  const body = new ReadableStream(
    {
      pull(controller) {
        pulled = true;
        controller.enqueue(new Uint8Array(10));
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { authorization: "Bearer wrong", "content-type": "application/json" };
  const response = await house.call("/api/keys", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  expect([response.status, pulled]).toEqual([401, false]);
});

test("every answer forbids unsafe use in a browser", async () => {
  const house = await open();
  const answers = [
    await house.call("/api/rooms"),
    await house.call("/docs"),
    await house.call("/login?code=x", { headers: { authorization: "" } }),
    await house.call("/nothing"),
    await house.call("/api/rooms", { headers: { authorization: "" } }),
    await house.call("/api/rooms/hall/events", { headers: { accept: "text/event-stream" } }),
    await house.call("/"),
    await house.call("/healthz", { headers: { host: "evil.example" } }),
    await house.call("/docs", { headers: { authorization: "", accept: "text/html" } }),
  ];
  for (const { headers, url } of answers) {
    const policy = headers.get("content-security-policy") ?? "";
    expect([url, policy]).toEqual([url, expect.stringContaining("default-src 'none'")]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("access-control-allow-origin")).toBe(false);
  }
  expect(answers.map(({ headers }) => headers.get("referrer-policy"))).toEqual([
    "no-referrer",
    "same-origin",
    "same-origin",
    ...Array(5).fill("no-referrer"),
    "same-origin",
  ]);
});
