import { GRACE_MS } from "../../kernel/streams/memory.ts";
import { expect, test } from "bun:test";
import type { RoomId } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { FAKE_EPOCH, createFakeHouse, type FakeHouse } from "../fakes/fake-house.ts";
import { PING_MS } from "../sse.ts";

const { hash } = createBunWorld();
const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const say = async (text: string) => house.options.people.rooms.post(house.room.id, { text }, house.owner.id);
  const page = async (path: string, init?: RequestInit) => {
    const response = await house.call(path, init);
    return { status: response.status, body: await response.json() };
  };
  return { world, house, say, page };
};

/** Opens a path as server-sent events; returns one chunk at a time, `undefined` at the end. */
const listen = async (house: FakeHouse, path: string, headers: Record<string, string> = {}) => {
  const response = await house.call(path, { headers: { accept: "text/event-stream", ...headers } });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body?.getReader();
  const next = async (): Promise<string | undefined> => {
    const chunk = await reader?.read();
    return chunk?.value === undefined ? undefined : new TextDecoder().decode(chunk.value);
  };
  return { next, cancel: () => reader?.cancel(), opening: await next() };
};

test("a room is read in pages, and each says where the next begins", async () => {
  const { say, page } = await setUp();
  for (const text of ["one", "two", "three"]) await say(text);
  const first = await page("/api/rooms/hall/events?limit=2");
  expect(first.body.events.map((event: { offset: number }) => event.offset)).toEqual([1, 2]);
  const second = await page(`/api/rooms/hall/events?after=${first.body.next}&limit=2`);
  expect([second.body.events[0].body.text, second.body.next]).toEqual(["three", 3]);
  expect((await page("/api/rooms/hall/events?after=3")).body).toEqual({
    events: [],
    next: 3,
    head: 3,
    epoch: FAKE_EPOCH,
  });
});

test("a room is read backward in pages, each oldest first, to its beginning", async () => {
  const { say, page } = await setUp();
  for (let count = 1; count <= 5; count += 1) await say(`${count}`);
  const texts = async (query: string) => {
    const { body } = await page(`/api/rooms/hall/events?${query}`);
    return [...body.events.map((event: { body: { text: string } }) => event.body.text), body.next, body.head];
  };
  expect(await texts("before=end&limit=2")).toEqual(["4", "5", 5, 5]);
  expect(await texts("before=4&limit=2")).toEqual(["2", "3", 3, 5]);
  expect(await texts("before=2&limit=2")).toEqual(["1", 1, 5]);
  expect(await texts("before=1")).toEqual([0, 5]);
  expect(await texts("before=99&limit=1")).toEqual(["5", 5, 5]);
});

test("every page has the head of the stream", async () => {
  const { say, page } = await setUp();
  expect((await page("/api/rooms/hall/events?before=end")).body).toEqual({
    events: [],
    next: 0,
    head: 0,
    epoch: FAKE_EPOCH,
  });
  for (const text of ["one", "two", "three"]) await say(text);
  expect((await page("/api/rooms/hall/events?limit=1")).body).toMatchObject({ next: 1, head: 3 });
});

test("an in-memory stream is read backward too, also if its beginning is gone", async () => {
  const { house, page } = await setUp();
  const said = await house.options.people.rooms.post(house.room.id, { text: "hi" }, house.owner.id);
  for (let count = 0; count < 5000; count += 1) house.wake(said);
  const offsets = async (query: string) =>
    (await page(`/api/rooms/hall/live?${query}`)).body.events.map((event: { offset: number }) => event.offset);
  expect(await offsets("before=end&limit=2")).toEqual([4999, 5000]);
  expect(await offsets("before=907&limit=4")).toEqual([905, 906]);
  expect(await offsets("before=900&limit=4")).toEqual([]);
});

test.each(["before=end&after=0", "before=3&wait=10", "before=0", "before=-1", "before=start", "before="])(
  "reading backward with %s is refused",
  async (query) => {
    const { page } = await setUp();
    const { status, body } = await page(`/api/rooms/hall/events?${query}`);
    expect([status, body.error.code]).toEqual([400, "request.invalid"]);
  },
);

test("following cannot start from the end backward", async () => {
  const { house } = await setUp();
  const headers = { accept: "text/event-stream" };
  const response = await house.call("/api/rooms/hall/events?before=end", { headers });
  expect([response.status, (await response.json()).error.code]).toEqual([400, "request.invalid"]);
});

test("the heads list offset and time of every visible room", async () => {
  const { world, house, say, page } = await setUp();
  const { records, rooms } = house.options.people;
  const add = async (content: object) =>
    (await records.mutate({ kind: "create", type: "room", content }, house.owner.id)).id as RoomId;
  const closed = await add({ name: "Closed", members: [house.owner.id] });
  const quiet = await add({ name: "Quiet" });
  const { id } = await say("one");
  await world.advance(5);
  await rooms.edit(house.room.id, id, "two", house.owner.id);
  const secret = await rooms.post(closed, { text: "x" }, house.owner.id);
  const hall = { room: house.room.id, head: 2, at: world.clock.now() };
  const heads = (await page("/api/heads")).body;
  expect(heads).toHaveLength(3);
  expect(heads).toEqual(
    expect.arrayContaining([hall, { room: closed, head: 1, at: secret.at }, { room: quiet, head: 0 }]),
  );
  const response = await house.call("/api/heads", { headers: { authorization: `Bearer ${house.botKey}` } });
  const seen = await response.json();
  expect(seen).toHaveLength(2);
  expect(seen).toEqual(expect.arrayContaining([hall, { room: quiet, head: 0 }]));
});

test("a repeated message key returns the same message", async () => {
  const { house } = await setUp();
  const post = async () =>
    (
      await house.call("/api/rooms/hall/messages", { method: "POST", body: `{"text":"once","idempotencyKey":"k"}` })
    ).json();
  expect(await post()).toEqual(await post());
  expect(await house.options.kernel.streams.head(`room:${house.room.id}`)).toBe(1);
});

test("a reply names the message that it answers", async () => {
  const { house, say } = await setUp();
  const { id } = await say("question");
  const response = await house.call(`/api/rooms/${house.room.id}/messages`, {
    method: "POST",
    body: JSON.stringify({ text: "answer", replyTo: id }),
  });
  expect(await response.json()).toMatchObject({ replyTo: id, author: house.owner.id });
});

/** Runs pending work, without advancing the clock, until the condition holds. */
const until = async (isSo: () => boolean, world: FakeWorld): Promise<void> => {
  for (let turn = 0; turn < 100 && !isSo(); turn += 1) await world.advance(0);
  expect(isSo()).toBe(true);
};

test("a long poll waits for the first event", async () => {
  const { house, say, page } = await setUp();
  const polling = page(`/api/rooms/${house.room.id}/events?wait=60000`);
  await say("now");
  expect((await polling).body).toMatchObject({ events: [{ offset: 1 }], next: 1 });
});

test("a long poll returns empty at its time limit, and keeps nothing running", async () => {
  const { world, page } = await setUp();
  const polling = page("/api/rooms/hall/live?wait=5000");
  for (let step = 0; step < 10; step += 1) await world.advance(1000);
  expect((await polling).body).toEqual({ events: [], next: 0, head: 0, epoch: FAKE_EPOCH });
});

test("a long poll that has answered keeps nothing running", async () => {
  const world = createFakeWorld({ hash });
  let asked = 0;
  const house = await createFakeHouse(world, {
    daemon: {
      runToken: () => {
        asked += 1;
        return Promise.resolve(undefined);
      },
    },
  });
  const polling = house.call("/api/rooms/hall/events?wait=60000", {
    headers: { authorization: `Bearer ${house.key}` },
  });
  await until(() => house.reading.followers === 1, world);
  await world.advance(1000);
  expect(asked).toBe(2);
  await house.options.people.rooms.post(house.room.id, { text: "now" }, house.owner.id);
  await polling;
  await world.advance(10_000);
  expect(asked).toBe(2);
});

test("a long poll whose key is revoked ends", async () => {
  const { world, house, page } = await setUp();
  const polling = page("/api/rooms/hall/events?wait=60000", { headers: { authorization: `Bearer ${house.key}` } });
  await until(() => house.reading.followers === 1, world);
  for (const { id } of await house.options.people.keys.list())
    await house.options.people.keys.revoke(id, house.owner.id);
  await world.advance(1000);
  expect((await polling).body).toEqual({ events: [], next: 0, head: 0, epoch: FAKE_EPOCH });
});

test("a long poll whose peer disconnected ends", async () => {
  const { world, house } = await setUp();
  const gone = new AbortController();
  const polling = house.call("/api/rooms/hall/events?wait=60000", { signal: gone.signal });
  await until(() => house.reading.followers === 1, world);
  gone.abort();
  expect(await (await polling).json()).toEqual({ events: [], next: 0, head: 0, epoch: FAKE_EPOCH });
  expect(house.reading.followers).toBe(0);
});

test("a reader that stops leaves no follower behind", async () => {
  const { world, house, say } = await setUp();
  await say("hi");
  const { next, cancel } = await listen(house, "/api/rooms/hall/events");
  await next();
  expect(house.reading.followers).toBe(1);
  await cancel();
  await world.advance(0);
  expect(house.reading.followers).toBe(0);
});

test("a closing house ends its readers and refuses new ones", async () => {
  const { world, house, page } = await setUp();
  const events = await listen(house, "/api/rooms/hall/events");
  const polling = page("/api/rooms/hall/events?wait=60000");
  const waiting = events.next();
  await world.advance(0);
  house.http.close();
  expect(await waiting).toBeUndefined();
  expect((await polling).body).toEqual({ events: [], next: 0, head: 0, epoch: FAKE_EPOCH });
  expect((await page("/api/rooms")).body.error.code).toBe("house.closing");
  expect((await page("/readyz")).status).toBe(503);
  expect((await page("/healthz")).status).toBe(200);
});

test("server-sent events have their offset as id and one event as data", async () => {
  const { house, say } = await setUp();
  const said = await say("two\nlines");
  const { opening, next } = await listen(house, "/api/rooms/hall/events");
  expect(opening).toBe(`: room:${house.room.id}\n\n`);
  const text = await next();
  expect(text).toBe(`id: 1-${FAKE_EPOCH}\ndata: ${JSON.stringify(said)}\n\n`);
});

test("Last-Event-ID takes precedence over `after`; an invalid offset is refused", async () => {
  const { house, say } = await setUp();
  for (const text of ["one", "two", "three"]) await say(text);
  const { next } = await listen(house, "/api/rooms/hall/events?after=0", { "last-event-id": "2" });
  expect(await next()).toStartWith(`id: 3-${FAKE_EPOCH}\n`);
  const wrong = await house.call("/api/rooms/hall/events", {
    headers: { accept: "text/event-stream", "last-event-id": "-1" },
  });
  expect(wrong.status).toBe(400);
});

test("a comment is sent every 15 seconds of silence", async () => {
  const { world, house } = await setUp();
  const { next } = await listen(house, "/api/rooms/hall/events");
  for (let ping = 0; ping < 2; ping += 1) {
    const waiting = next();
    await world.advance(0);
    await world.advance(PING_MS);
    expect(await waiting).toBe(": ping\n\n");
  }
});

test("a large batch comes in pieces, complete and in order", async () => {
  const { house, say } = await setUp();
  for (let count = 0; count < 20; count += 1) await say("x".repeat(60_000));
  const { next } = await listen(house, "/api/rooms/hall/events");
  const pieces: string[] = [];
  while (!pieces.join("").includes(`id: 20-${FAKE_EPOCH}\n`)) pieces.push((await next()) ?? "");
  expect(pieces.length).toBeGreaterThan(3);
  expect([...pieces.join("").matchAll(/^id: \S+$/gm)].map(([id]) => id)).toEqual(
    Array.from({ length: 20 }, (_, index) => `id: ${index + 1}-${FAKE_EPOCH}`),
  );
});

test("an in-memory stream that is shorter than the offset reports a restart", async () => {
  const { house, page } = await setUp();
  const stream = `live:${house.room.id}` as const;
  const { id } = house.wake(await house.options.people.rooms.post(house.room.id, { text: "hi" }, house.owner.id));
  expect((await page("/api/rooms/hall/live")).body.events).toMatchObject([
    { type: "activation-queued", activation: id },
  ]);
  const behind = await page("/api/rooms/hall/live?after=40");
  expect([behind.status, behind.body.error.code]).toEqual([410, "stream.behind"]);
  const { opening, next } = await listen(house, "/api/rooms/hall/live", { "last-event-id": "40" });
  expect(opening).toBe(`: ${stream}\n\nevent: restarted\ndata: {}\n\n`);
  expect(await next()).toStartWith(`id: 1-${FAKE_EPOCH}\n`);
});

test("a reader ahead of a durable stream gets a restart, and starts again", async () => {
  const { house, say, page } = await setUp();
  await say("one");
  const path = "/api/rooms/hall/events";
  for (const query of ["after=2", "after=2&wait=60000"]) {
    const { status, body } = await page(`${path}?${query}`);
    expect([status, body.error.code, body.error.hint]).toEqual([410, "stream.behind", "Read it again with after=0."]);
  }
  expect((await page(`/api/houses/${house.owner.house}/log?after=999`)).status).toBe(410);
  expect((await page(`${path}?after=1`)).body).toEqual({ events: [], next: 1, head: 1, epoch: FAKE_EPOCH });
  const { opening, next } = await listen(house, path, { "last-event-id": "2" });
  expect(opening).toBe(`: room:${house.room.id}\n\nevent: restarted\ndata: {}\n\n`);
  expect(await next()).toStartWith(`id: 1-${FAKE_EPOCH}\n`);
});

test("an activation's deltas end with it; once they are gone a reader learns it at once", async () => {
  const { world, house, page } = await setUp();
  const { id } = house.wake(await house.options.people.rooms.post(house.room.id, { text: "hi" }, house.owner.id));
  const path = `/api/activations/${id}/deltas`;
  house.options.kernel.memory.push(`deltas:${id}`, { type: "text-delta", at: 0, text: "Hel" });
  const { next } = await listen(house, path);
  expect(await next()).toStartWith(`id: 1-${FAKE_EPOCH}\n`);
  await house.finish(id, { state: "replied" }, "Hello");
  expect([await next(), await next()]).toEqual(["event: end\ndata: {}\n\n", undefined]);
  await world.advance(GRACE_MS);
  expect(await listen(house, path)).toMatchObject({ opening: expect.stringContaining("event: end") });
  expect((await page(`${path}?after=1&wait=60000`)).body).toEqual({ events: [], next: 1, head: 0, epoch: FAKE_EPOCH });
});

test("deltas of an activation that has just ended are read to their end", async () => {
  const { house } = await setUp();
  const { id } = house.wake(await house.options.people.rooms.post(house.room.id, { text: "hi" }, house.owner.id));
  house.options.kernel.memory.push(`deltas:${id}`, { type: "text-delta", at: 0, text: "Hello" });
  await house.finish(id, { state: "replied" }, "Hello");
  const { opening, next } = await listen(house, `/api/activations/${id}/deltas`);
  expect(opening).not.toContain("end");
  expect([await next(), await next()]).toEqual([
    expect.stringContaining(`id: 1-${FAKE_EPOCH}\n`),
    "event: end\ndata: {}\n\n",
  ]);
});

test("a stream without an owner is not found", async () => {
  const { page } = await setUp();
  const nobody = "0".repeat(26);
  for (const [path, code] of [
    [`/api/rooms/room_${nobody}/events`, "record.not-found"],
    ["/api/rooms/nowhere/live", "record.not-found"],
    ["/api/agents/nobody/log", "record.not-found"],
    ["/api/houses/nowhere/log", "record.not-found"],
    [`/api/activations/act_${nobody}/deltas`, "activation.not-found"],
  ] as const) {
    const { status, body } = await page(path);
    expect([path, status, body.error.code]).toEqual([path, 404, code]);
  }
});

test("a bot reads its permitted rooms, its own log and its own deltas only", async () => {
  const { house, page } = await setUp();
  const other = await house.options.people.records.mutate(
    { kind: "create", type: "agent", level: "none", content: { name: "Other", kind: "bot" } },
    house.owner.id,
  );
  const closed = await house.options.people.records.mutate(
    { kind: "create", type: "room", content: { name: "Closed", members: [house.owner.id] } },
    house.owner.id,
  );
  const { id } = house.wake(await house.options.people.rooms.post(house.room.id, { text: "hi" }, house.owner.id));
  const { key: otherKey } = await house.options.people.keys.create(
    { name: "other's", agent: other.id as typeof house.bot.id },
    { agent: house.owner.id },
  );
  const status = async (path: string, key: string): Promise<number> =>
    (await house.call(path, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status("/api/rooms/hall/events", house.botKey)).toBe(200);
  expect(await status("/api/agents/main/log", house.botKey)).toBe(200);
  expect(await status(`/api/activations/${id}/deltas`, house.botKey)).toBe(200);
  for (const [path, refused] of [
    [`/api/rooms/${closed.id as RoomId}/events`, 404],
    [`/api/rooms/${closed.id}/live`, 404],
    ["/api/agents/other/log", 403],
  ] as const) {
    expect([path, await status(path, house.botKey), (await page(path)).status]).toEqual([path, refused, 200]);
  }
  expect(await status(`/api/activations/${id}/deltas`, otherKey)).toBe(404);
});

test("HEAD on a stream answers and keeps nothing running", async () => {
  const { house } = await setUp();
  const response = await house.call("/api/rooms/hall/events", {
    method: "HEAD",
    headers: { accept: "text/event-stream" },
  });
  expect([response.status, response.body, house.reading.followers]).toEqual([200, null, 0]);
});

test("an offset of another epoch is stale, even if the stream is longer", async () => {
  const { house, say, page } = await setUp();
  const path = "/api/rooms/hall/events";
  await say("one");
  await say("two");
  expect((await page(`${path}?after=1&epoch=${FAKE_EPOCH}`)).body.events).toHaveLength(1);
  for (const wait of ["", "&wait=60000"]) {
    const { status, body } = await page(`${path}?after=1&epoch=0123456789abcdef${wait}`);
    expect([status, body.error.code]).toEqual([410, "stream.behind"]);
  }
  const { opening, next } = await listen(house, path, { "last-event-id": "1-0123456789abcdef" });
  expect(opening).toEndWith("event: restarted\ndata: {}\n\n");
  expect(await next()).toStartWith(`id: 1-${FAKE_EPOCH}\n`);
  expect((await house.call(`/v1/stream/rooms/hall?offset=${"1".padStart(16, "0")}_0123456789abcdef`)).status).toBe(410);
  const durable = await house.call(`/v1/stream/rooms/hall?offset=${"1".padStart(16, "0")}_${FAKE_EPOCH}`);
  expect([durable.status, (await durable.json()).length]).toEqual([200, 1]);
});
