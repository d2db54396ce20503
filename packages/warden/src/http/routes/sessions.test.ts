import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { USED_MS } from "../../people/credentials/house-logins.ts";
import { createFakeHouse, type FakeHouse, HOST } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { logins, keys } = house.options.people;
  const logIn = async (about = "", agent = house.owner.id) => {
    const session = await logins.begin(agent, { about });
    if (session === undefined) throw new Error("no session");
    return { id: session.id, cookie: `hearth_session=${session.cookie}` };
  };
  const ask = async (method: string, path: string, { cookie }: { readonly cookie: string }) => {
    const response = await house.call(path, { method, headers: { cookie, origin: `http://${HOST}` } });
    return { status: response.status, setCookie: response.headers.get("set-cookie"), json: await response.json() };
  };
  const statusOf = async ({ cookie }: { readonly cookie: string }) =>
    (await house.call("/api/me", { headers: { cookie } })).status;
  return { world, house, logins, keys, logIn, ask, statusOf };
};

test("one's sessions are listed, with a mark on the current one", async () => {
  const { world, house, logIn, ask } = await setUp();
  const [first, second] = [await logIn("One"), await logIn("Two")];
  await logIn("a bot's", house.bot.id);
  const times = {
    createdAt: world.clock.now(),
    usedAt: world.clock.now(),
    expiresAt: world.clock.now() + 30 * 24 * 60 * 60_000,
  };
  expect((await ask("GET", "/api/sessions", first)).json).toEqual([
    { id: second.id, agent: house.owner.id, about: "Two", ...times, isThis: false },
    { id: first.id, agent: house.owner.id, about: "One", ...times, isThis: true },
  ]);
});

test("a session is ended by its id, also the current one, which deletes the cookie", async () => {
  const { house, logIn, ask, statusOf } = await setUp();
  const [mine, other, bots] = [await logIn(), await logIn(), await logIn("", house.bot.id)];
  expect(await ask("DELETE", `/api/sessions/${other.id}`, mine)).toEqual({
    status: 200,
    setCookie: null,
    json: { ended: 1 },
  });
  expect([await statusOf(other), await statusOf(mine)]).toEqual([401, 200]);
  for (const id of [other.id, bots.id])
    expect(await ask("DELETE", `/api/sessions/${id}`, mine)).toMatchObject({
      status: 404,
      json: { error: { code: "record.not-found" } },
    });
  expect(await statusOf(bots)).toBe(200);
  expect(await ask("DELETE", `/api/sessions/${mine.id}`, mine)).toMatchObject({
    ...{ status: 200, json: { ended: 1 } },
    setCookie: expect.stringContaining("Max-Age=0"),
  });
  expect(await statusOf(mine)).toBe(401);
});

test("all sessions end at once, or all others", async () => {
  const { logIn, ask, statusOf } = await setUp();
  const [mine, two, three] = [await logIn(), await logIn(), await logIn()];
  expect(await ask("DELETE", "/api/sessions?others=true", mine)).toEqual({
    status: 200,
    setCookie: null,
    json: { ended: 2 },
  });
  expect([await statusOf(mine), await statusOf(two), await statusOf(three)]).toEqual([200, 401, 401]);
  await logIn();
  expect(await ask("DELETE", "/api/sessions", mine)).toMatchObject({
    ...{ status: 200, json: { ended: 2 } },
    setCookie: expect.stringContaining("Max-Age=0"),
  });
  expect(await statusOf(mine)).toBe(401);
});

test("a key may manage its agent's sessions, and a limited key may not", async () => {
  const { world, house, keys, logIn, statusOf } = await setUp();
  const session = await logIn();
  const by = { agent: house.owner.id };
  const limits = [{ scope: { level: "x" as const } }, { expiresAt: world.clock.now() + 1000 }];
  for (const limit of limits) {
    const { key } = await keys.create({ name: "limited", agent: house.owner.id, ...limit }, by);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["DELETE", "?others=true"],
      ["DELETE", `/${session.id}`],
    ] as const) {
      const response = await house.call(`/api/sessions${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
      });
      expect([method, path, response.status, (await response.json()).error.code]).toEqual([
        method,
        path,
        403,
        "grant.exceeds",
      ]);
    }
  }
  expect(await statusOf(session)).toBe(200);
  const all = await house.call("/api/sessions", { method: "DELETE" });
  expect([await all.json(), await statusOf(session)]).toEqual([{ ended: 1 }, 401]);
});

/** Streams, long polls and sockets that a session holds open, with their outcomes. */
const holdOpen = async ({ house }: Awaited<ReturnType<typeof setUp>>, { cookie }: { readonly cookie: string }) => {
  const ended: string[] = [];
  const events = await house.call("/api/rooms/hall/events", { headers: { cookie, accept: "text/event-stream" } });
  void events.text().then(() => ended.push("stream"));
  void house.call("/api/rooms/hall/events?wait=60000", { headers: { cookie } }).then(() => ended.push("poll"));
  const admitted = await house.http.admit(
    house.request("/ws", { headers: { cookie, upgrade: "websocket", origin: `http://${HOST}` } }),
  );
  if ("refusal" in admitted) throw new Error("not admitted");
  house.http.connect(admitted.caller, {
    send: () => "sent",
    close: (code) => ended.push(`socket ${code}`),
  });
  return ended;
};

for (const [name, end] of [
  ["ending all", (house, _id) => house.options.people.logins.endAll(house.owner.id)],
  ["ending the one", (house, id) => house.options.people.logins.end(house.owner.id, id)],
  ["another password", (house, _id) => house.options.people.passwords.set(house.owner.id, "another password")],
] as const satisfies readonly (readonly [
  string,
  (
    house: Awaited<ReturnType<typeof setUp>>["house"],
    id: Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>["logIn"]>>["id"],
  ) => Promise<unknown>,
])[]) {
  test(`${name} closes what the session holds open within a second, and nothing else`, async () => {
    const all = await setUp();
    const { world, house, logIn } = all;
    const session = await logIn();
    const mine = await holdOpen(all, session);
    const bots = await holdOpen(all, await logIn("", house.bot.id));
    await world.advance(5_000);
    expect([mine, bots]).toEqual([[], []]);
    await end(house, session.id);
    await world.advance(1_000);
    expect(mine.toSorted()).toEqual(["poll", "socket 1008", "stream"]);
    expect(bots).toEqual([]);
    house.http.close();
  });
}

test("what a session holds open is no use of it", async () => {
  const all = await setUp();
  const { world, house, logins, logIn } = all;
  const before = world.clock.now();
  const open = await holdOpen(all, await logIn());
  await world.advance(2 * USED_MS);
  expect(open).not.toContain("stream");
  expect((await logins.list(house.owner.id)).map(({ usedAt }) => usedAt)).toEqual([before]);
  house.http.close();
});

test("an expiring key closes what it holds open within a second", async () => {
  const { world, house, keys } = await setUp();
  const expiresAt = world.clock.now() + 10_000;
  const { key } = await keys.create({ name: "short", agent: house.owner.id, expiresAt }, { agent: house.owner.id });
  const events = await house.call("/api/rooms/hall/events", {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
  });
  let isOver = false;
  void events.text().then(() => {
    isOver = true;
  });
  await world.advance(9_900);
  expect(isOver).toBe(false);
  await world.advance(1_000);
  expect(isOver).toBe(true);
});

const send = (house: FakeHouse, method: string, path: string, cookie: string, body?: unknown) =>
  house.call(path, {
    method,
    headers: { cookie, origin: `http://${HOST}`, "user-agent": "Phone/1.0" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test("a session is named by its person alone", async () => {
  const { house, logIn } = await setUp();
  const [mine, bots] = [await logIn("One"), await logIn("", house.bot.id)];
  const rename = async (id: string, name: string) => {
    const response = await send(house, "PATCH", `/api/sessions/${id}`, mine.cookie, { name });
    return { status: response.status, json: await response.json() };
  };
  expect(await rename(mine.id, "Kitchen")).toMatchObject({ status: 200, json: { name: "Kitchen", isThis: true } });
  expect(await rename(bots.id, "Mine")).toMatchObject({ status: 404 });
  expect(await rename(mine.id, "\u202Eevil")).toMatchObject({ status: 400 });
  expect((await rename(mine.id, "")).json).not.toHaveProperty("name");
});

test("a session shows the address of its last use", async () => {
  const { world, house, logIn } = await setUp();
  const { cookie } = await logIn("Desk");
  const list = async (address: string) => {
    const request = new Request(`http://${HOST}/api/sessions`, { headers: { host: HOST, cookie } });
    return (await house.http.handle(request, { address })).json();
  };
  await world.advance(USED_MS);
  expect(await list("203.0.113.7")).toMatchObject([{ address: "203.0.113.7", usedAt: world.clock.now() }]);
});

test("A19: a link for another device works once, within five minutes, and for its person", async () => {
  const { world, house, logIn, statusOf } = await setUp();
  const { cookie } = await logIn("Desk");
  const pair = async () => (await send(house, "POST", "/api/sessions/pair", cookie)).json();
  const codeOf = ({ url }: { readonly url: string }) => new URL(url).hash.slice(1);
  const made = await pair();
  expect(made).toEqual({
    url: expect.stringMatching(new RegExp(`^http://${HOST}/ui/pair#[\\w-]{43}$`)),
    expiresAt: world.clock.now() + 300_000,
  });
  const redeem = (code: string) =>
    house.call("/login", {
      method: "POST",
      headers: { authorization: "", "user-agent": "Phone/1.0" },
      body: JSON.stringify({ code }),
    });
  const late = await pair();
  const answers = await Promise.all([redeem(codeOf(made)), redeem(codeOf(made))]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  const phone =
    answers
      .find(({ status }) => status === 200)
      ?.headers.get("set-cookie")
      ?.split(";")[0] ?? "";
  expect(await statusOf({ cookie: phone })).toBe(200);
  const listed = await (await send(house, "GET", "/api/sessions", cookie)).json();
  expect(listed.map(({ about }: { about: string }) => about)).toEqual(["Phone/1.0", "Desk"]);
  await world.advance(300_000);
  expect((await redeem(codeOf(late))).status).toBe(401);
});

test("a key with a limit sends that many requests per minute, over all of its connections", async () => {
  const { world, house, keys } = await setUp();
  const scope = { level: "x", perMinute: 4 } as const;
  const { key } = await keys.create({ name: "slow", agent: house.owner.id, scope }, { agent: house.owner.id });
  const headers = { authorization: `Bearer ${key}` };
  const ask = async () => house.call("/api/me", { headers });
  const admitted = await house.http.admit(house.request("/ws", { headers: { ...headers, upgrade: "websocket" } }));
  if ("refusal" in admitted) throw new Error("not admitted");
  const frames: string[] = [];
  const socket = house.http.connect(admitted.caller, {
    send(text) {
      frames.push(text);
      return "sent";
    },
    close: () => {},
  });
  const ping = async (id: number): Promise<string | undefined> => {
    socket.onMessage(JSON.stringify({ op: "ping", id }));
    await world.advance(0);
    return frames.at(-1);
  };
  // The connection and its frames are requests, too.
  expect(await ping(1)).toContain('"result":null');
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after"), (await refused.json()).error]).toEqual([
    429,
    "15",
    {
      code: "key.limit",
      message: "This key has sent its limit of 4 requests per minute.",
      hint: "Try again in 15 s, or use a key with a higher limit.",
      retryAfterMs: 15_000,
    },
  ]);
  expect(await ping(2)).toContain('"key.limit"');
  expect((await house.call("/api/me", { headers: { authorization: `Bearer ${house.key}` } })).status).toBe(200);
  await world.advance(15_000);
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  await world.advance(3_600_000);
  const statuses = [await ask(), await ask(), await ask(), await ask(), await ask()].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  house.http.close();
});
