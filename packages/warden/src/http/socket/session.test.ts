import { expect, test } from "bun:test";
import type { SocketRequest, StoredEvent, StreamName } from "@hearth/protocol";
import { SocketFrame } from "@hearth/protocol/api";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import type { SocketPeer } from "../http.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";
import { STALL_MS } from "./sender.ts";
import { MAX_SUBSCRIPTIONS } from "./subscriptions.ts";

const { hash } = createBunWorld();

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const room = `room:${house.room.id}` as const;
  const say = (text: string) => house.options.people.rooms.post(house.room.id, { text }, house.owner.id);

  const connect = async (key = house.key) => {
    const admitted = await house.http.admit(house.request("/ws", { headers: { authorization: `Bearer ${key}` } }));
    if ("refusal" in admitted) throw new Error("refused");
    const frames: SocketFrame[] = [];
    const closes: { code: number; reason: string }[] = [];
    let mood: ReturnType<SocketPeer["send"]> = "sent";
    const session = house.http.connect(admitted.caller, {
      send(text) {
        frames.push(SocketFrame.parse(JSON.parse(text)));
        return mood;
      },
      close: (code, reason) => void closes.push({ code, reason }),
    });
    return {
      session,
      frames,
      closes,
      answers: (id: number) => frames.filter((frame) => "id" in frame && frame.id === id),
      offsets: (stream: StreamName) =>
        frames.flatMap((frame) =>
          frame.type === "events" && frame.stream === stream
            ? frame.events.map(({ offset }: StoredEvent) => offset)
            : [],
        ),
      be: (next: typeof mood) => {
        mood = next;
      },
      /** Sends a frame and waits until all pending work has run. */
      async send(frame: SocketRequest | string) {
        session.onMessage(typeof frame === "string" ? frame : JSON.stringify(frame));
        for (let turn = 0; turn < 25; turn += 1) await world.clock.turn();
      },
    };
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 25; turn += 1) await world.clock.turn();
  };
  return { world, house, room, say, connect, settle };
};

const nobody = "0".repeat(26);

test("a ping is answered with its id", async () => {
  const { connect } = await setUp();
  const { send, frames } = await connect();
  await send({ op: "ping", id: 7 });
  expect(frames).toEqual([{ type: "answer", id: 7, result: null }]);
});

test("a subscription from an offset of another epoch starts over, and one of this epoch continues", async () => {
  const { room, say, connect } = await setUp();
  for (const text of ["one", "two", "three"]) await say(text);
  const first = await connect();
  await first.send({ op: "subscribe", id: 1, stream: room, after: 0 });
  const [answer] = first.answers(1);
  const { epoch } = (answer as unknown as { readonly result: { readonly epoch: string } }).result;
  const isRestarted = (frames: readonly SocketFrame[]): boolean => frames.some(({ type }) => type === "restarted");
  for (const [known, restarts, offsets] of [
    [epoch, false, [3]],
    [`not-${epoch}`, true, [1, 2, 3]],
  ] as const) {
    const next = await connect();
    await next.send({ op: "subscribe", id: 1, stream: room, after: 2, epoch: known });
    expect([isRestarted(next.frames), next.offsets(room)]).toEqual([restarts, [...offsets]]);
  }
});

test("a post is durable when it is answered, in the order of the frames", async () => {
  const { house, room, connect } = await setUp();
  const { session, send, frames } = await connect();
  for (let id = 1; id <= 20; id += 1) {
    session.onMessage(JSON.stringify({ op: "post", id, room: house.room.id, message: { text: `${id}` } }));
  }
  await send({ op: "ping", id: 21 });
  await send({ op: "ping", id: 22 });
  expect(frames.map((frame) => "id" in frame && frame.id)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
  const events = await house.options.kernel.streams.read(room, 0, 100);
  expect(events.map((event) => event.type === "message" && event.body.text)).toEqual(
    Array.from({ length: 20 }, (_, index) => `${index + 1}`),
  );
  expect(frames[0]).toMatchObject({ result: { id: events[0]?.id, author: house.owner.id } });
});

test("a subscription delivers the events after its offset, then new ones", async () => {
  const { room, say, connect, settle } = await setUp();
  for (const text of ["one", "two"]) await say(text);
  const { send, frames, offsets } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 1 });
  await say("three");
  await settle();
  expect(offsets(room)).toEqual([2, 3]);
  expect(frames.filter((frame) => frame.type === "events").map((frame) => frame.next)).toEqual([2, 3]);
});

test("a large batch comes in several frames whose `next` resumes exactly", async () => {
  const { room, say, connect } = await setUp();
  for (let count = 0; count < 20; count += 1) await say("x".repeat(60_000));
  const { send, frames } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 0 });
  const batches = frames.filter((frame) => frame.type === "events");
  expect(batches.length).toBeGreaterThan(3);
  for (const { events, next } of batches) expect(events.at(-1)?.offset).toBe(next);
  expect(batches.at(-1)?.next).toBe(20);
});

test("an event for many sockets and event streams is serialised once", async () => {
  const { world, house, connect, settle } = await setUp();
  const stream = `live:${house.room.id}` as const;
  const sockets = [await connect(), await connect(), await connect()];
  for (const { send } of sockets) await send({ op: "subscribe", id: 1, stream, after: 0 });
  const path = `/api/rooms/${house.room.id}/live`;
  const { body } = await house.http.handle(house.request(path, { headers: { accept: "text/event-stream" } }));
  const reader = body?.getReader();
  await reader?.read();
  let count = 0;
  const event = { type: "activation-queued", at: 0, activation: `act_${nobody}`, agent: house.bot.id };
  const toJSON = () => ({ ...event, id: `evt_${nobody}`, offset: 1, cause: `evt_${++count}`.padEnd(30, "0") });
  house.options.kernel.memory.push(stream, { ...event, toJSON } as never);
  const before = count;
  await settle();
  expect(sockets.map(({ offsets }) => offsets(stream))).toEqual([[1], [1], [1]]);
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("id: 1");
  expect(count - before).toBe(1);
  await reader?.cancel();
  await world.clock.turn();
});

test("a client gets no events after unsubscribing", async () => {
  const { room, say, connect, settle } = await setUp();
  const { send, offsets } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 0 });
  await send({ op: "unsubscribe", id: 2, stream: room });
  await say("unheard");
  await settle();
  expect(offsets(room)).toEqual([]);
  await send({ op: "subscribe", id: 3, stream: room, after: 0 });
  expect(offsets(room)).toEqual([1]);
});

test("F3, R14: a slow peer gets nothing until it has drained, then all of it", async () => {
  const { house, room, say, connect, settle } = await setUp();
  const { session, send, frames, offsets, be } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 0 });
  await send({ op: "subscribe", id: 2, stream: `house:${house.house}`, after: 0 });
  be("full");
  await say("one");
  await settle();
  const before = frames.length;
  for (const text of ["two", "three"]) await say(text);
  await send({ op: "ping", id: 3 });
  expect(frames).toHaveLength(before);
  be("sent");
  session.onDrain();
  await settle();
  expect(offsets(room)).toEqual([1, 2, 3]);
  expect(frames.some((frame) => frame.type === "answer" && frame.id === 3)).toBe(true);
});

test("a peer that accepts nothing for ten seconds is closed with 1013", async () => {
  const { world, room, say, connect, settle } = await setUp();
  const { send, closes, be } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 0 });
  be("full");
  await say("one");
  await settle();
  await world.advance(STALL_MS - 1);
  expect(closes).toEqual([]);
  await world.advance(1);
  expect(closes).toMatchObject([{ code: 1013 }]);
});

test("a peer that drained in time is not closed", async () => {
  const { world, room, say, connect, settle } = await setUp();
  const { session, send, closes, be } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 0 });
  be("full");
  await say("one");
  await settle();
  be("sent");
  session.onDrain();
  await world.advance(STALL_MS);
  expect(closes).toEqual([]);
});

test("missing streams and duplicate subscriptions are errors with the request's id", async () => {
  const { room, connect } = await setUp();
  const { send, answers } = await connect();
  await send({ op: "subscribe", id: 1, stream: `room:room_${nobody}` as StreamName, after: 0 });
  expect(answers(1)).toMatchObject([{ type: "error", error: { code: "record.not-found" } }]);
  await send({ op: "subscribe", id: 2, stream: `deltas:act_${nobody}` as StreamName, after: 0 });
  expect(answers(2)).toMatchObject([{ type: "error", error: { code: "activation.not-found" } }]);
  await send({ op: "subscribe", id: 3, stream: room, after: 0 });
  await send({ op: "subscribe", id: 4, stream: room, after: 0 });
  expect(answers(4)).toMatchObject([{ type: "error", error: { code: "request.invalid" } }]);
});

test("a socket holds a bounded number of subscriptions", async () => {
  const { house, connect } = await setUp();
  const { send, frames } = await connect();
  for (let id = 0; id <= MAX_SUBSCRIPTIONS; id += 1) {
    const room = await house.options.people.records.mutate(
      { kind: "create", type: "room", content: { name: `Room ${id}` } },
      house.owner.id,
    );
    await send({ op: "subscribe", id, stream: `room:${room.id}` as StreamName, after: 0 });
  }
  expect(frames.filter((frame) => frame.type === "answer")).toHaveLength(MAX_SUBSCRIPTIONS);
  expect(frames.at(-1)).toMatchObject({ type: "error", id: MAX_SUBSCRIPTIONS });
});

test("an in-memory stream reports its restart and its end", async () => {
  const { world, house, say, connect, settle } = await setUp();
  const { id } = house.wake(await say("hi"));
  const stream = `deltas:${id}` as const;
  house.options.kernel.memory.push(stream, { type: "text-delta", at: 0, text: "Hel" });
  const { send, frames, answers } = await connect();
  await send({ op: "subscribe", id: 1, stream, after: 50 });
  await house.finish(id, { state: "replied" });
  await settle();
  expect(frames.map(({ type }) => type)).toEqual(["answer", "restarted", "events", "ended"]);
  await world.advance(2000);
  await send({ op: "subscribe", id: 2, stream, after: 1 });
  expect(answers(2)).toHaveLength(1);
  expect(frames.at(-1)).toEqual({ type: "ended", stream });
});

test("a caller with the level stops an activation", async () => {
  const { house, say, connect } = await setUp();
  const { id: activation } = house.wake(await say("hi"));
  const other = await house.options.people.records.mutate(
    { kind: "create", type: "agent", level: "r", content: { name: "Other", kind: "bot" } },
    house.owner.id,
  );
  const { key } = await house.options.people.keys.create(
    { name: "other's", agent: other.id as typeof house.bot.id },
    { agent: house.owner.id },
  );
  const reader = await connect(key);
  await reader.send({ op: "stop", id: 1, activation });
  await reader.send({ op: "post", id: 2, room: house.room.id, message: { text: "hi" } });
  expect(reader.frames).toMatchObject([1, 2].map((id) => ({ type: "error", id, error: { code: "auth.denied" } })));
  const owner = await connect();
  await owner.send({ op: "stop", id: 1, activation });
  expect(owner.frames).toMatchObject([{ type: "answer", result: { id: activation, state: "stopped" } }]);
});

test("a subscription to a house's log shows an agent what it may see, and hides the other events", async () => {
  const { house, connect } = await setUp();
  const create = (name: string, members?: readonly string[]) =>
    house.options.people.records.mutate(
      { kind: "create", type: "room", content: { name, ...(members && { members }) } },
      house.owner.id,
    );
  const { id } = await create("Open");
  await create("Closed", [house.owner.id]);
  const { send, frames } = await connect(house.botKey);
  await send({ op: "subscribe", id: 1, stream: `house:${house.house}`, after: 0 });
  const events = frames.flatMap((frame) => (frame.type === "events" ? frame.events : []));
  expect(events.map(({ offset }) => offset)).toEqual(events.map((_, index) => index + 1));
  expect(events.slice(-2)).toMatchObject([{ type: "record-changed", record: { id } }, { type: "hidden" }]);
  expect(JSON.stringify(frames)).not.toContain("Closed");
});

const garbage = [
  "",
  "nonsense",
  "null",
  "[]",
  `{"op":"become-owner","id":1}`,
  `{"op":"ping"}`,
  `{"op":"ping","id":1,"scopes":["admin"]}`,
  `{"op":"subscribe","id":1,"stream":"keys:all"}`,
  `{"op":"subscribe","id":1,"stream":"room:../../x"}`,
  `{"op":"post","id":1,"room":"room_x","message":{"text":"x"}}`,
  `{"op":"post","id":1,"room":"room_${nobody}","message":{"text":"\\ud800"}}`,
  "[".repeat(10_000),
];

test.each(garbage)("%p is answered with an error frame", async (text) => {
  const { connect } = await setUp();
  const { send, frames, closes } = await connect();
  await send(text);
  expect(frames).toMatchObject([{ type: "error", error: { code: "request.invalid" } }]);
  expect(closes).toEqual([]);
});

test("an error frame has the request's id, if there was one", async () => {
  const { connect } = await setUp();
  const { send, frames } = await connect();
  await send(`{"op":"nothing","id":41}`);
  await send(`{"op":"nothing","id":"x"}`);
  expect(frames.map((frame) => ("id" in frame ? frame.id : undefined))).toEqual([41, undefined]);
});

test("repeated garbage closes the socket with 1008", async () => {
  const { connect } = await setUp();
  const { send, closes } = await connect();
  for (let count = 0; count < 9; count += 1) await send("nonsense");
  expect(closes).toEqual([]);
  await send(`{"op":"nothing","id":1}`);
  expect(closes).toMatchObject([{ code: 1008 }]);
});

test("R14: a flood of requests closes the socket with 1008, and later ones are not done", async () => {
  const { house, room, connect, settle } = await setUp();
  const { session, closes } = await connect();
  for (let id = 0; id < 1000; id += 1) {
    session.onMessage(JSON.stringify({ op: "post", id, room: house.room.id, message: { text: "x" } }));
  }
  expect(closes).toMatchObject([{ code: 1008 }]);
  await settle();
  expect(await house.options.kernel.streams.head(room)).toBeLessThanOrEqual(1);
});

test("requests that exceed the total length close the socket with 1008", async () => {
  const { connect } = await setUp();
  const { session, closes } = await connect();
  for (let id = 0; id < 4; id += 1) session.onMessage(`{"op":"ping","id":${id}}`.padEnd(1024 * 1024));
  expect(closes).toEqual([]);
  session.onMessage(`{"op":"ping","id":4}`);
  expect(closes).toMatchObject([{ code: 1008 }]);
});

test("a frame that is too large closes the socket with 1009", async () => {
  const { connect } = await setUp();
  const { send, closes } = await connect();
  await send("x".repeat(1024 * 1024 + 1));
  expect(closes).toMatchObject([{ code: 1009 }]);
});

test("A6: a revoked key closes its silent socket within a second", async () => {
  const { world, house, connect } = await setUp();
  const { closes } = await connect();
  await world.advance(5000);
  expect(closes).toEqual([]);
  for (const { id } of await house.options.people.keys.list())
    await house.options.people.keys.revoke(id, house.owner.id);
  await world.advance(1000);
  expect(closes).toMatchObject([{ code: 1008 }]);
});

test("a revoked key posts nothing more, however soon", async () => {
  const { house, room, connect } = await setUp();
  const { send, closes } = await connect();
  for (const { id } of await house.options.people.keys.list())
    await house.options.people.keys.revoke(id, house.owner.id);
  await send({ op: "post", id: 1, room: house.room.id, message: { text: "too late" } });
  expect(await house.options.kernel.streams.head(room)).toBe(0);
  expect(closes).toMatchObject([{ code: 1008 }]);
});

test("a removed agent's socket closes too", async () => {
  const { world, house, connect } = await setUp();
  const { closes } = await connect(house.botKey);
  await house.options.people.records.mutate({ kind: "remove", id: house.bot.id }, house.owner.id);
  await world.advance(1000);
  expect(closes).toMatchObject([{ code: 1008 }]);
});

test("a disconnected socket is not written to, and keeps nothing running", async () => {
  const { world, house, room, say, connect, settle } = await setUp();
  const { session, send, frames, closes, be } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 0 });
  be("full");
  await say("one");
  await settle();
  await say("waiting");
  await settle();
  expect(house.reading.followers).toBe(1);
  session.onClose();
  await settle();
  expect(house.reading.followers).toBe(0);
  session.onClose();
  session.onDrain();
  await say("two");
  session.onMessage(JSON.stringify({ op: "ping", id: 2 }));
  await settle();
  await world.advance(STALL_MS * 2);
  expect(frames.filter((frame) => frame.type === "events")).toHaveLength(1);
  expect(closes).toEqual([]);
});

test("a peer that is gone at a send ends the session", async () => {
  const { room, say, connect, settle } = await setUp();
  const { send, offsets, be } = await connect();
  await send({ op: "subscribe", id: 1, stream: room, after: 0 });
  be("gone");
  await say("one");
  await settle();
  be("sent");
  await say("two");
  await settle();
  expect(offsets(room)).toEqual([1]);
});

test("a closing house closes its sockets with 1001, also one that comes at the last moment", async () => {
  const { house, connect } = await setUp();
  const early = await connect();
  const admitted = await house.http.admit(house.request("/ws"));
  house.http.close();
  expect(early.closes).toMatchObject([{ code: 1001 }]);
  const closes: number[] = [];
  if ("caller" in admitted)
    house.http.connect(admitted.caller, { send: () => "sent", close: (code) => void closes.push(code) });
  expect(closes).toEqual([1001]);
  await expect(connect()).rejects.toThrow("refused");
});
