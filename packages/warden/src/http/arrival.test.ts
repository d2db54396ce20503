import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { localReach } from "../fixtures/local-reach.ts";
import { type Connection, createArrivals } from "./arrival.ts";
import type { OpenApiDocument } from "./docs/open-api.ts";
import { redeem } from "../fixtures/redeem.ts";
import { createFakeHouse, type FakeHouse, HOST } from "./fakes/fake-house.ts";
import type { Reach } from "./reach.ts";

const PUBLIC = "https://house.example";
const PROXY = "10.0.0.2";
const reach: Reach = {
  ...localReach(`http://${HOST}`),
  publicUrl: PUBLIC,
  trustedProxies: [PROXY, "10.1.0.0/16", "fd00::/64"],
};

type Headers = Readonly<Record<string, string>>;
const arrive = (headers: Headers, connection: Connection = { address: PROXY }, over: Partial<Reach> = {}) =>
  createArrivals({ reach: () => ({ ...reach, ...over }) }).resolve(
    new Request("http://x/", { headers: { host: "house.example", ...headers } }),
    connection,
  );
const refusalOf = (headers: Headers): string => {
  try {
    return `the client is ${arrive(headers).peer}`;
  } catch (error) {
    return isHearthError(error, "request.invalid") ? "refused" : String(error);
  }
};

describe("the client of a request", () => {
  test("is the last address before the trusted proxies", () => {
    for (const [list, client] of [
      ["203.0.113.7", "203.0.113.7"],
      ["198.51.100.1, 203.0.113.7", "203.0.113.7"],
      ["127.0.0.1, 203.0.113.7, 10.1.2.3", "203.0.113.7"],
      ["203.0.113.7,10.1.2.3,fd00::9", "203.0.113.7"],
      ["203.0.113.7:5000", "203.0.113.7"],
      ["[2001:db8::7]:5000", "2001:db8::7"],
      ["2001:db8::7", "2001:db8::7"],
      ["::ffff:10.1.2.3", "::ffff:10.1.2.3"],
      // Only proxies: the first one is the client.
      ["10.1.2.3, 10.0.0.2", "10.1.2.3"],
      // What precedes the client is its own claim.
      ["not an address, 203.0.113.7", "203.0.113.7"],
    ] as const)
      expect([list, arrive({ "x-forwarded-for": list }).peer]).toEqual([list, client]);
  });

  test("is read from a Forwarded header by the grammar of RFC 7239", () => {
    for (const [header, client, origin] of [
      ["for=203.0.113.7;proto=https;host=house.example", "203.0.113.7", PUBLIC],
      ['For="[2001:db8::7]:4711" ; Proto=HTTPS;host="house.example"', "2001:db8::7", PUBLIC],
      ['for="203.0.113.7:80";proto=https, for=10.1.2.3;proto=http;host=inner', "203.0.113.7", PUBLIC],
      ["for=127.0.0.1;proto=https, for=203.0.113.7;proto=http", "203.0.113.7", "http://house.example"],
      ["for=unknown;proto=https", undefined, PUBLIC],
      ["for=_hidden;proto=https", undefined, PUBLIC],
      ['for=203.0.113.7;ext="a\\"b,;c";proto=https', "203.0.113.7", PUBLIC],
    ] as const) {
      const { peer, origin: found } = arrive({ forwarded: header });
      expect([header, peer, found]).toEqual([header, client, origin]);
    }
  });

  test("is not guessed from a malformed header", () => {
    for (const headers of [
      { forwarded: 'for="203.0.113.7' },
      { forwarded: 'for=", for=203.0.113.7' },
      { forwarded: "for=203.0.113.7:80" },
      { forwarded: "for=[2001:db8::7]" },
      { forwarded: "for=203.0.113.7;for=127.0.0.1" },
      { forwarded: "for = 203.0.113.7" },
      { forwarded: "for=203.0.113.7,,for=127.0.0.1" },
      { forwarded: "for=203.0.113.7;" },
      { forwarded: "for=example.org" },
      { forwarded: "" },
      { "x-forwarded-for": "203.0.113.7, example.org" },
      { "x-forwarded-for": "203.0.113.007" },
      { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https, http" },
      { "x-forwarded-for": "203.0.113.7", "x-forwarded-host": "a, b" },
      // A proxy writes one family; the other one is the client's.
      { "x-forwarded-for": "203.0.113.7", forwarded: "for=127.0.0.1" },
      { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "http", forwarded: "for=203.0.113.7;proto=https" },
    ] as Headers[])
      expect([headers, refusalOf(headers)]).toEqual([headers, "refused"]);
    const same = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    expect(arrive({ ...same, forwarded: "for=203.0.113.7;proto=https" }).peer).toBe("203.0.113.7");
  });

  test("is the connection's where a proxy names only the scheme, or nothing", () => {
    expect(arrive({ "x-forwarded-proto": "https" })).toEqual({ peer: PROXY, origin: PUBLIC, isForwarded: true });
    expect(arrive({})).toEqual({ peer: PROXY, origin: "http://house.example", isForwarded: false });
  });

  test("has the scheme and host of the connection that reached the first proxy", () => {
    const chain = { "x-forwarded-for": "203.0.113.7, 10.1.2.3", "x-forwarded-proto": "https, http" };
    expect(arrive(chain).origin).toBe(PUBLIC);
    expect(arrive({ ...chain, "x-forwarded-host": "House.Example:443, inner" }).origin).toBe(PUBLIC);
    expect(arrive({ ...chain, "x-forwarded-for": "203.0.113.7, 192.0.2.1" }).origin).toBe("http://house.example");
    expect(arrive({ "x-forwarded-for": "203.0.113.7" }, { address: PROXY, isTls: true }).origin).toBe(
      "http://house.example",
    );
  });

  test("is the connection's without a proxy, with or without TLS", () => {
    expect(arrive({}, { address: "203.0.113.7", isTls: true })).toEqual({
      ...{ peer: "203.0.113.7", origin: PUBLIC, isForwarded: false },
    });
    expect(arrive({}, {}).peer).toBeUndefined();
  });
});

const open = async (over: Partial<Reach> = {}): Promise<FakeHouse> => {
  const mine = { ...reach, ...over };
  return createFakeHouse(createFakeWorld({ hash: createBunWorld().hash }), { daemon: { reach: () => mine } });
};
/** Headers of a proxy for a client at the public address. */
const viaProxy = { host: "house.example", "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };

const ask = async (
  house: FakeHouse,
  headers: Headers,
  address = PROXY,
  path = "/api/rooms",
  init: RequestInit = {},
) => {
  const response = await house.http.handle(house.request(path, { ...init, headers }), { address });
  const text = await response.text();
  const code = response.ok || text === "" ? undefined : JSON.parse(text).error?.code;
  return { status: response.status, code, headers: response.headers };
};

test("a page of the public address is answered through the proxy, and a local one without it", async () => {
  const house = await open();
  expect((await ask(house, { ...viaProxy, origin: PUBLIC })).status).toBe(200);
  expect((await ask(house, { origin: `http://${HOST}` }, "127.0.0.1")).status).toBe(200);
  expect((await ask(house, { host: "localhost:18789" }, "127.0.0.1")).status).toBe(200);
});

test("A11: forwarded headers of any other connection are ignored", async () => {
  const house = await open();
  const spoofed = [
    { "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https", "x-forwarded-host": "house.example" },
    { forwarded: 'for=127.0.0.1;proto=https;host="house.example"' },
    { "x-real-ip": "127.0.0.1", "x-forwarded-proto": "https" },
  ] as const;
  for (const headers of spoofed) {
    for (const address of ["203.0.113.9", "127.0.0.1", "::ffff:10.0.0.3", "10.2.0.1", "fd00:0:0:1::2"]) {
      expect(arrive(headers, { address })).toEqual({
        peer: address,
        origin: "http://house.example",
        isForwarded: false,
      });
      expect([headers, address, await ask(house, { ...headers, host: "house.example" }, address)]).toMatchObject([
        headers,
        address,
        { status: 421, code: "auth.host" },
      ]);
    }
  }
  // The limit of wrong passwords counts the connection, whatever it claims.
  const statuses: number[] = [];
  const body = JSON.stringify({ person: "owner", password: "wrong password" });
  for (let count = 0; count < 12; count += 1) {
    const headers = { authorization: "", "content-type": "application/json", "x-forwarded-for": `198.51.100.${count}` };
    statuses.push((await ask(house, headers, "203.0.113.9", "/login", { method: "POST", body })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
});

test("wrong passwords count for the client behind the proxy, not for the proxy", async () => {
  const house = await open();
  await house.options.people.passwords.set(house.owner.id, "correct horse battery");
  const from = async (client: string, password: string): Promise<number> => {
    const headers = { ...viaProxy, "x-forwarded-for": client, authorization: "", "content-type": "application/json" };
    const body = JSON.stringify({ person: "owner", password });
    return (await ask(house, headers, PROXY, "/login", { method: "POST", body })).status;
  };
  for (let count = 0; count < 10; count += 1) await from("203.0.113.7", "wrong password");
  expect([
    await from("203.0.113.7", "correct horse battery"),
    await from("198.51.100.1, 203.0.113.7", "correct horse battery"),
    await from("203.0.113.8", "correct horse battery"),
  ]).toEqual([429, 429, 200]);
});

test("A12: through a proxy, only the public address is answered, whatever Host and X-Forwarded-Host say", async () => {
  const house = await open();
  const attacks: readonly Headers[] = [
    { ...viaProxy, host: "evil.example" },
    { ...viaProxy, host: HOST },
    { ...viaProxy, host: "localhost:18789", "x-forwarded-proto": "http" },
    { ...viaProxy, "x-forwarded-host": "evil.example" },
    { ...viaProxy, host: "evil.example", "x-forwarded-host": HOST },
    { ...viaProxy, host: "house.example:8443" },
    { ...viaProxy, host: "house.example.evil.example" },
    { ...viaProxy, host: "house.example@evil.example" },
    { ...viaProxy, host: "house.example, evil.example" },
    { ...viaProxy, "x-forwarded-proto": "http" },
    { ...viaProxy, "x-forwarded-proto": "HTTPS://house.example/#" },
    { host: "house.example", "x-forwarded-for": "203.0.113.7" },
    { host: "house.example", forwarded: "for=203.0.113.7;proto=https;host=evil.example" },
  ];
  for (const headers of attacks)
    expect([headers, await ask(house, headers)]).toMatchObject([headers, { status: 421, code: "auth.host" }]);
  // A login leads to a path, so no header chooses its host.
  const code = house.options.people.logins.offer(house.owner.id).code;
  const form = { ...viaProxy, authorization: "", origin: PUBLIC, "content-type": "application/x-www-form-urlencoded" };
  const login = await ask(house, form, PROXY, "/login", {
    method: "POST",
    body: `code=${code}&next=https://evil.example`,
  });
  expect([login.status, login.headers.get("location")]).toEqual([303, "/ui/"]);
});

describe("A13: the cookie of the public address", () => {
  const logIn = async (house: FakeHouse, headers: Headers, address: string): Promise<string> => {
    const { code } = house.options.people.logins.offer(house.owner.id);
    const form = { ...headers, authorization: "", "content-type": "application/x-www-form-urlencoded" };
    const answer = await ask(house, form, address, "/login", { method: "POST", body: `code=${code}` });
    return answer.headers.get("set-cookie") ?? "";
  };

  test("A13: is bound to its host by __Host-, is sent over https only, and ends like the others", async () => {
    const house = await open();
    const cookie = await logIn(house, viaProxy, PROXY);
    expect(cookie).toMatch(
      /^__Host-hearth_session=[\w-]{43}; Max-Age=2592000; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    );
    const [pair = ""] = cookie.split(";");
    expect((await ask(house, { ...viaProxy, cookie: pair })).status).toBe(200);
    const out = await ask(house, { ...viaProxy, origin: PUBLIC, cookie: pair }, PROXY, "/logout", { method: "POST" });
    expect(out.headers.get("set-cookie")).toBe(
      "__Host-hearth_session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/; Secure",
    );
    expect((await ask(house, { ...viaProxy, cookie: pair })).status).toBe(401);
  });

  test("A13: is not taken under the other name, which another host of the domain could set", async () => {
    const house = await open();
    const [secure = ""] = (await logIn(house, viaProxy, PROXY)).split(";");
    const [local = ""] = (await logIn(house, {}, "127.0.0.1")).split(";");
    expect(local).toStartWith("hearth_session=");
    expect(await ask(house, { ...viaProxy, cookie: secure.replace("__Host-", "") })).toMatchObject({
      code: "auth.missing",
    });
    expect(await ask(house, { cookie: `__Host-${local}` }, "127.0.0.1")).toMatchObject({ code: "auth.missing" });
    expect((await ask(house, { cookie: local }, "127.0.0.1")).status).toBe(200);
  });
});

test("A14: no operation takes a cookie at the public address from another origin", async () => {
  const house = await open();
  const session = await redeem(house.options.people.logins, house.options.people.logins.offer(house.owner.id).code);
  const cookie = `__Host-hearth_session=${session?.cookie}`;
  const { paths } = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  let tried = 0;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (method === "get" || method === "head" || path.startsWith("/hooks/")) continue;
      const to = path.replace("{room}", house.room.id).replaceAll(/\{\w+\}/g, "x");
      const init = { method: method.toUpperCase(), ...(operation.requestBody === undefined ? {} : { body: "{}" }) };
      for (const foreign of [
        { origin: "http://house.example" },
        { origin: `http://${HOST}` },
        { origin: "https://other.house.example" },
        { origin: "https://house.example:8443" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
      ] as Headers[]) {
        const answer = await ask(house, { ...viaProxy, cookie, ...foreign }, PROXY, to, init);
        expect([method, path, foreign, answer]).toMatchObject([
          method,
          path,
          foreign,
          { status: 403, code: "auth.origin" },
        ]);
      }
      if (operation["x-needs"] !== "nothing") {
        for (const weak of [{}, { "sec-fetch-site": "same-site" }, { "sec-fetch-site": "none" }] as Headers[]) {
          const answer = await ask(house, { ...viaProxy, cookie, ...weak }, PROXY, to, init);
          expect([method, path, weak, answer]).toMatchObject([
            method,
            path,
            weak,
            { status: 403, code: "auth.origin" },
          ]);
        }
      }
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(50);
  expect(house.stops()).toBe(0);
});

test("A14: a socket of the public address opens only from its own pages", async () => {
  const house = await open();
  const session = await redeem(house.options.people.logins, house.options.people.logins.offer(house.owner.id).code);
  const admit = (headers: Headers) =>
    house.http.admit(
      house.request("/ws", {
        headers: { ...viaProxy, cookie: `__Host-hearth_session=${session?.cookie}`, upgrade: "websocket", ...headers },
      }),
      { address: PROXY },
    );
  for (const origin of ["http://house.example", `http://${HOST}`, "https://evil.example"])
    expect(await admit({ origin })).toHaveProperty("refusal.status", 403);
  expect(await admit({ origin: PUBLIC })).toMatchObject({ caller: { peer: "203.0.113.7", origin: PUBLIC } });
});

test("A15: answers over https forbid http for this host, and those over http do not", async () => {
  const house = await open();
  for (const path of ["/api/rooms", "/login", "/nothing", "/ui/", "/docs"]) {
    const { headers } = await ask(house, viaProxy, PROXY, path);
    expect([path, headers.get("strict-transport-security")]).toEqual([path, "max-age=15552000"]);
  }
  expect((await ask(house, {}, "127.0.0.1")).headers.has("strict-transport-security")).toBe(false);
});

test("A15: the public address is not answered over http, and nothing is redirected there", async () => {
  const house = await open();
  for (const [headers, address] of [
    [{ ...viaProxy, "x-forwarded-proto": "http" }, PROXY],
    [{ host: "house.example" }, "127.0.0.1"],
  ] as const) {
    const answer = await ask(house, headers, address, "/login");
    expect([answer.status, answer.code, answer.headers.get("location")]).toEqual([421, "auth.host", null]);
  }
});

test("A3: a port without TLS takes connections of other machines only from the trusted proxies", async () => {
  const house = await open({ onlyProxies: true });
  for (const address of ["203.0.113.9", "10.0.0.3", "::ffff:192.168.1.5", "2001:db8::1"]) {
    for (const headers of [{}, viaProxy, { host: "house.example" }] as Headers[])
      expect(await ask(house, headers, address)).toMatchObject({ status: 421, code: "auth.host" });
    const hook = await ask(house, { host: "house.example" }, address, "/hooks/telegram", {
      method: "POST",
      body: "{}",
    });
    expect(hook.code).toBe("auth.host");
  }
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    expect((await ask(house, {}, address)).status).toBe(200);
  expect((await ask(house, viaProxy)).status).toBe(200);
});

test("a stream created at the public address has its public URL", async () => {
  const house = await open();
  const headers = { ...viaProxy, "content-type": "text/plain" };
  const { status, headers: answered } = await ask(house, headers, PROXY, "/v1/stream/notes?x=1", {
    method: "PUT",
    body: "a",
  });
  expect([status, answered.get("location")]).toEqual([201, `${PUBLIC}/v1/stream/notes?x=1`]);
});

describe("the tunnel", () => {
  const local = localReach(`http://${HOST}`);
  const origin = (headers: Headers, over: Partial<Reach> = {}): string => {
    const present: Reach = { ...local, publicUrl: PUBLIC, tunnel: { isForwarded: true }, ...over };
    const arrivals = createArrivals({ reach: () => present });
    const arrival = arrivals.resolve(new Request("http://x/", { headers }), { isTunnel: true });
    try {
      arrivals.checkOrigin(arrival);
      return `${arrival.peer} at ${arrival.origin}`;
    } catch (error) {
      return isHearthError(error, "auth.host") ? "refused" : String(error);
    }
  };

  test("A21: a request through the tunnel reaches the public address only, whatever host it names", () => {
    expect(origin({ host: "house.example", "x-forwarded-for": "203.0.113.7" })).toBe(`203.0.113.7 at ${PUBLIC}`);
    for (const host of [HOST, "localhost:18789", "other.example"]) {
      expect([host, origin({ host })]).toEqual([host, "refused"]);
      expect([host, origin({ host: "house.example", "x-forwarded-host": host })]).toEqual([host, "refused"]);
    }
  });

  test("its requests name their client only if the tunnel reports clients, and cannot name a trusted proxy", () => {
    const host = "house.example";
    const forged = { host, "x-forwarded-for": "198.51.100.1, 127.0.0.1" };
    expect(origin(forged, { trustedProxies: ["127.0.0.1"] })).toBe(`127.0.0.1 at ${PUBLIC}`);
    expect(origin(forged, { tunnel: { isForwarded: false } })).toBe(`undefined at ${PUBLIC}`);
    expect(origin({ host, "x-forwarded-proto": "http" })).toBe(`undefined at ${PUBLIC}`);
  });

  test("its requests are refused before the address is known", () => {
    const arrivals = createArrivals({ reach: () => local });
    const arrival = arrivals.resolve(new Request("http://x/", { headers: { host: HOST } }), { isTunnel: true });
    expect(() => arrivals.checkOrigin(arrival)).toThrow("does not answer");
  });
});
