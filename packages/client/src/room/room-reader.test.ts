import { describe, expect, test } from "bun:test";
import type { ActivationId, EventId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeHouse } from "../fake-house.ts";
import { createOutbox } from "../outbox/stored-outbox.ts";
import { createSocket } from "../socket/resuming-socket.ts";
import { createMemoryStorage } from "../storage.ts";
import type { RoomSnapshot } from "./room.ts";
import { createRoomReader } from "./room-reader.ts";

const setUp = () => {
  const world = createFakeWorld({ hash: () => "" });
  const house = createFakeHouse(world);
  const { clock } = world;
  let seed = 5;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const socket = createSocket({ connect: house.wire.connect, clock, random });
  let keys = 0;
  const outbox = createOutbox({
    ...{ storage: createMemoryStorage(), post: house.post, clock },
    newKey: () => `key-${(keys += 1)}`,
  });
  const open = () => {
    const reader = createRoomReader({
      client: house.client,
      socket,
      outbox,
      room: house.room.id,
      me: house.me.id,
      clock,
    });
    const snapshots: RoomSnapshot[] = [];
    reader.onChange(() => snapshots.push(reader.snapshot()));
    return { reader, snapshots };
  };
  const settle = async (ms = 0): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await world.advance(turn === 0 ? ms : 0);
  };
  return { world, house, socket, outbox, open, settle, random };
};

/** An open reader of a room where one message was said. */
const setUpOpen = async () => {
  const all = setUp();
  const cause = all.house.say("hello");
  const { reader, snapshots } = all.open();
  await all.settle();
  return { ...all, cause, reader, snapshots };
};

const texts = ({ messages }: RoomSnapshot): readonly string[] => messages.map(({ text }) => text);
const shownText = ({ live }: RoomSnapshot): readonly string[] =>
  live.map(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text : `<${part.name}>`)).join(""));
const numbers = (count: number, from = 1): readonly string[] =>
  Array.from({ length: count - from + 1 }, (_, index) => `${from + index}`);

describe("opening a room", () => {
  test("shows its last page, follows from there, and brings older pages on demand", async () => {
    const { house, open, settle } = setUp();
    for (const text of numbers(500)) house.say(text);
    const { reader } = open();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "loading" }, hasOlder: false, isCurrent: false });
    await settle();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, hasOlder: true, isCurrent: true });
    expect(texts(reader.snapshot())).toEqual(numbers(500, 441));
    house.say("501");
    await settle();
    expect(texts(reader.snapshot())).toEqual(numbers(501, 441));
    const loading = [reader.loadOlder(), reader.loadOlder()];
    await settle();
    await Promise.all(loading);
    expect(house.calls.filter((call) => call === "events")).toHaveLength(2);
    expect(texts(reader.snapshot())).toEqual(numbers(501, 241));
    for (let page = 0; page < 3; page += 1) {
      const more = reader.loadOlder();
      await settle();
      await more;
    }
    expect(texts(reader.snapshot())).toEqual(numbers(501));
    expect(reader.snapshot()).toMatchObject({ hasOlder: false, isLoadingOlder: false });
    expect(house.calls.filter((call) => call === "events")).toHaveLength(4);
    expect(house.calls.filter((call) => call === "activations")).toHaveLength(1);
  });

  test("says that older ones are on their way, and throws what the house says", async () => {
    const { house, open, settle } = setUp();
    for (const text of numbers(100)) house.say(text);
    const { reader } = open();
    await settle();
    house.fail("events", "house.closing");
    const loading = reader.loadOlder().catch((error: unknown) => error);
    await settle();
    expect(await loading).toMatchObject({ code: "house.closing" });
    expect(reader.snapshot()).toMatchObject({ hasOlder: true, isLoadingOlder: false });
    house.fail("events");
    const release = house.hold("events");
    const again = reader.loadOlder();
    await settle();
    expect(reader.snapshot().isLoadingOlder).toBe(true);
    release();
    await settle();
    await again;
    expect(texts(reader.snapshot())).toEqual(numbers(100));
  });

  test("passes over pages where nothing but edits is", async () => {
    const { house, open, settle } = setUp();
    const { id } = house.say("one");
    for (let count = 0; count < 300; count += 1) house.edit(id, `edit ${count}`);
    const { reader } = open();
    await settle();
    expect(texts(reader.snapshot())).toEqual(["edit 299"]);
  });

  test("of an empty room is ready with nothing", async () => {
    const { house, open, settle } = setUp();
    house.wire.refuse(1006);
    const { reader } = open();
    house.wire.silence();
    await settle();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, messages: [], hasOlder: false });
  });

  test("goes on trying while the house does not answer, and fails when asking again would not help", async () => {
    const { house, open, settle } = setUp();
    house.say("hello");
    house.fail("all", "house.unreachable");
    const { reader } = open();
    await settle(30_000);
    expect(reader.snapshot().state.kind).toBe("loading");
    expect(house.calls.length).toBeLessThan(30);
    house.fail("all");
    await settle(5_000);
    expect(texts(reader.snapshot())).toEqual(["hello"]);
    house.fail("events", "record.not-found");
    const other = open().reader;
    await settle();
    expect(other.snapshot().state).toMatchObject({ kind: "failed", error: { code: "record.not-found" } });
  });

  test("fails when the house lets it follow no more", async () => {
    const { house, open, settle } = setUp();
    house.wire.deny(`room:${house.room.id}`, { code: "auth.denied", message: "no" });
    const { reader } = open();
    await settle();
    expect(reader.snapshot().state).toMatchObject({ kind: "failed", error: { code: "auth.denied" } });
  });
});

describe("an open room", () => {
  test("makes one change of all that comes in one frame", async () => {
    const { house, settle, snapshots, cause, reader } = await setUpOpen();
    const id = house.queue(cause.id);
    house.run(id);
    await settle();
    const before = snapshots.length;
    for (const text of numbers(30)) house.delta(id, { type: "text-delta", text });
    await settle();
    expect(snapshots.length).toBe(before + 1);
    for (const text of numbers(30)) house.say(text);
    await settle();
    expect(snapshots.length).toBe(before + 2);
    expect(shownText(reader.snapshot())).toEqual([numbers(30).join("")]);
  });

  test("says nothing when nothing has changed, and nothing to who listens no more", async () => {
    const { house, settle, reader, snapshots, cause } = await setUpOpen();
    const count = snapshots.length;
    let told = 0;
    const stop = reader.onChange(() => (told += 1));
    house.edit(cause.id, "hello!");
    await settle();
    stop();
    house.edit(cause.id, "hello?");
    await settle();
    expect([told, snapshots.length]).toEqual([1, count + 2]);
    house.edit(house.wire.read(`room:${house.room.id}`)[1]!.id, "of no message");
    await settle();
    expect(snapshots.length).toBe(count + 2);
  });

  test("disposed while it is opened it asks and follows nothing more", async () => {
    const { house, open, settle } = setUp();
    house.fail("all", "house.unreachable");
    const { reader, snapshots } = open();
    await settle();
    reader[Symbol.dispose]();
    const count = house.calls.length;
    await settle(60_000);
    expect([house.calls.length, house.wire.dialed(), snapshots.length]).toEqual([count, 0, 0]);
  });

  test("keeps what has not changed", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    house.finish(house.queue(cause.id), "failed");
    const id = house.queue(cause.id);
    house.run(id);
    await settle();
    const before = reader.snapshot();
    house.delta(id, { type: "text-delta", text: "x" });
    await settle();
    const after = reader.snapshot();
    expect(after).not.toBe(before);
    for (const part of ["state", "messages", "ended", "pending"] as const)
      expect(after[part]).toBe(before[part] as never);
    house.edit(cause.id, "hello!");
    await settle();
    expect(reader.snapshot().live).toBe(after.live);
  });

  test("shows edits and deletions, the own ones at once and the others as they come", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    house.edit(cause.id, "theirs");
    await settle();
    expect(texts(reader.snapshot())).toEqual(["theirs"]);
    house.wire.silence();
    const editing = reader.edit(cause.id, "mine");
    await settle();
    await editing;
    expect(texts(reader.snapshot())).toEqual(["mine"]);
    const removing = reader.remove(cause.id);
    await settle();
    await removing;
    expect(reader.snapshot().messages).toMatchObject([{ text: "", isDeleted: true }]);
    house.fail("edit", "message.not-found");
    const failing = reader.edit(cause.id, "late").catch((error: unknown) => error);
    await settle();
    expect(await failing).toMatchObject({ code: "message.not-found" });
  });

  test("is not current while the connection is lost", async () => {
    const { house, settle, reader } = await setUpOpen();
    house.wire.refuse(1006);
    house.wire.cut();
    await settle();
    expect(reader.snapshot()).toMatchObject({ isCurrent: false, state: { kind: "ready" } });
    house.wire.refuse(undefined);
    await settle(5_000);
    expect(reader.snapshot().isCurrent).toBe(true);
  });

  test("that was closed and is open again a moment later goes on where it was", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const [id, unseen] = [house.queue(cause.id), house.queue(cause.id)];
    house.run(id);
    house.delta(id, { type: "text-delta", text: "one" });
    await settle();
    house.wire.close(`room:${house.room.id}`, `live:${house.room.id}`, `deltas:${id}`);
    await settle();
    expect(reader.snapshot()).toMatchObject({ isCurrent: false, state: { kind: "ready" } });
    house.say("meanwhile");
    house.delta(id, { type: "text-delta", text: " two" });
    house.settle(unseen, "stopped");
    await settle(1_000);
    expect(reader.snapshot().isCurrent).toBe(true);
    expect(reader.snapshot().ended).toMatchObject([{ id: unseen, state: "stopped" }]);
    expect(texts(reader.snapshot())).toEqual(["hello", "meanwhile"]);
    expect(shownText(reader.snapshot())).toEqual(["one two"]);
    house.say("after");
    house.delta(id, { type: "text-delta", text: " three" });
    await settle();
    expect([texts(reader.snapshot()).at(-1), ...shownText(reader.snapshot())]).toEqual(["after", "one two three"]);
    const asked = house.wire.requests.filter((one) => one.op === "subscribe" && one.stream === `room:${house.room.id}`);
    expect(asked.map((one) => (one.op === "subscribe" ? one.after : undefined))).toEqual([1, 1]);
  });

  test("that was closed and stays so has failed, and is asked for no more", async () => {
    const { house, settle, reader } = await setUpOpen();
    const streams = [`room:${house.room.id}`, `live:${house.room.id}`] as const;
    for (const stream of streams) house.wire.deny(stream, { code: "record.not-found", message: "gone" });
    house.wire.close(...streams);
    await settle();
    await settle(1_000);
    expect(reader.snapshot().state).toMatchObject({ kind: "failed", error: { code: "record.not-found" } });
    const { length } = house.wire.requests;
    await settle(60_000);
    expect(house.wire.requests.slice(length).filter(({ op }) => op === "subscribe")).toEqual([]);
  });

  test("that is left while it is closed is asked for no more", async () => {
    const { house, settle, reader } = await setUpOpen();
    house.wire.close(`room:${house.room.id}`, `live:${house.room.id}`);
    await settle();
    reader[Symbol.dispose]();
    const { length } = house.wire.requests;
    await settle(5_000);
    expect(house.wire.requests.slice(length).filter(({ op }) => op === "subscribe")).toEqual([]);
  });

  test("once disposed it says no more and follows nothing", async () => {
    const { house, settle, reader, snapshots, cause } = await setUpOpen();
    const id = house.queue(cause.id);
    house.run(id);
    await settle();
    const count = snapshots.length;
    reader[Symbol.dispose]();
    house.say("unheard");
    await settle();
    expect(snapshots.length).toBe(count);
    const open = new Set<string>();
    for (const request of house.wire.requests) {
      if (request.op === "subscribe") open.add(request.stream);
      if (request.op === "unsubscribe") open.delete(request.stream);
    }
    expect([...open]).toEqual([]);
  });
});

describe("what agents do", () => {
  test("is live from the queue to the reply, in the order of the queue", async () => {
    const { world, house, settle, reader, cause } = await setUpOpen();
    const first = house.queue(cause.id);
    await world.advance(10);
    const second = house.queue(cause.id);
    await settle(10);
    const since = world.clock.now() - 10;
    expect(reader.snapshot().live).toMatchObject([
      { id: first, agent: house.bot.id, cause: cause.id, state: "queued", parts: [], isStopping: false },
      { id: second, state: "queued", since },
    ]);
    house.run(second);
    house.delta(second, { type: "text-delta", text: "hm" });
    house.delta(second, { type: "tool-start", call: "1", name: "shell", input: {} });
    await settle();
    expect(reader.snapshot().live.map(({ state }) => state)).toEqual(["queued", "running"]);
    expect(shownText(reader.snapshot())).toEqual(["", "hm<shell>"]);
    house.finish(second, "replied", "here");
    await settle();
    expect(texts(reader.snapshot())).toEqual(["hello", "here"]);
    expect(reader.snapshot().messages[1]).toMatchObject({ activation: second, causes: [cause.id] });
    expect(reader.snapshot().live.map(({ id }) => id)).toEqual([first]);
  });

  test("is live already when the room is opened, without the live stream's memory of what is over", async () => {
    const { house, open, settle } = setUp();
    const cause = house.say("hello");
    for (let count = 0; count < 3; count += 1) house.finish(house.queue(cause.id), "replied", `old ${count}`);
    for (const text of numbers(70)) house.say(text);
    const id = house.queue(cause.id);
    house.run(id);
    house.delta(id, { type: "text-delta", text: "so far" });
    house.wire.setBatch(1);
    const { reader, snapshots } = open();
    await settle();
    expect(shownText(reader.snapshot())).toEqual(["so far"]);
    for (const { live } of snapshots) expect(live.every((one) => one.id === id)).toBe(true);
  });

  test("of long ago, which the list leaves out, does not stay", async () => {
    const { world, house, open, settle } = setUp();
    const cause = house.say("hello");
    for (let count = 0; count < 80; count += 1) {
      house.finish(house.queue(cause.id), count === 3 ? "stopped" : "replied", "x");
      await world.advance(10);
    }
    house.wire.setBatch(1);
    const { reader } = open();
    await settle();
    expect(reader.snapshot().live).toEqual([]);
  });

  test("gives way to its reply in one snapshot, whichever of the two streams is first", async () => {
    for (const order of ["reply first", "over first", "over, much later the reply", "reply, much later over"]) {
      const { house, settle, reader, snapshots, cause } = await setUpOpen();
      const id = house.queue(cause.id);
      house.run(id);
      await settle();
      house.settle(id, "replied");
      const isOverFirst = order.startsWith("over");
      if (isOverFirst) house.tellOver(id);
      else house.reply(id, "here");
      if (order.includes("much later")) await settle(10_000);
      if (isOverFirst) house.reply(id, "here");
      else house.tellOver(id);
      await settle();
      const seen = snapshots.filter(({ live, messages }) => live.length > 0 || messages.length > 1);
      for (const { live, messages } of seen) expect(live.length + messages.length - 1).toBe(1);
      expect(snapshots.indexOf(seen[0]!)).toBeGreaterThanOrEqual(0);
      expect(snapshots.slice(snapshots.indexOf(seen[0]!))).toEqual(seen);
      expect(reader.snapshot()).toMatchObject({ live: [] });
      expect(texts(reader.snapshot())).toEqual(["hello", "here"]);
    }
  });

  test("begins anew in another cell, and ends with its stream", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const id = house.queue(cause.id);
    house.run(id);
    house.delta(id, { type: "text-delta", text: "lost" });
    house.delta(id, { type: "restart" });
    house.delta(id, { type: "text-delta", text: "again" });
    await settle();
    expect(shownText(reader.snapshot())).toEqual(["again"]);
  });

  test("that ends without a reply is shown with its message, with why, the latest included", async () => {
    const { house, open, settle } = setUp();
    const [one, two] = [house.say("one"), house.say("two")];
    const error = { code: "provider.auth", message: "wrong key" } as const;
    const early = house.queue(two.id);
    house.settle(early, "failed", { reason: "wrong key", error });
    const skipped = house.queue(one.id);
    house.settle(skipped, "skipped", { reason: "nothing to say" });
    const { reader, snapshots } = open();
    await settle();
    expect(reader.snapshot().ended).toMatchObject([
      { id: skipped, state: "skipped", reason: "nothing to say", cause: one.id, agent: house.bot.id },
      { id: early, state: "failed", error },
    ]);
    const late = house.queue(one.id);
    house.run(late);
    await settle();
    house.settle(late, "failed", { reason: "wrong key", error });
    house.tellOver(late, { error });
    const stopped = house.queue(two.id);
    await settle();
    house.settle(stopped, "stopped", { reason: "It was stopped." });
    house.tellOver(stopped);
    await settle();
    expect(reader.snapshot().live).toEqual([]);
    expect(reader.snapshot().ended.map(({ id }) => id)).toEqual([skipped, late, early, stopped]);
    expect(reader.snapshot().ended).toMatchObject([{}, { error }, {}, { state: "stopped", reason: "It was stopped." }]);
    expect(house.calls.filter((call) => call === "activation")).toHaveLength(1);
    for (const { live, ended } of snapshots)
      for (const { id } of live) expect(ended.some((other) => other.id === id)).toBe(false);
  });

  test("is not shown as ended for a message that is not here, or is deleted", async () => {
    const { house, open, settle } = setUp();
    const [far, near] = [house.say("far"), house.say("near")];
    for (const { id } of [far, near]) house.settle(house.queue(id), "failed");
    for (const text of numbers(59)) house.say(text);
    const { reader } = open();
    await settle();
    expect(reader.snapshot().ended.map(({ cause }) => cause)).toEqual([near.id]);
    house.remove(near.id);
    await settle();
    expect(reader.snapshot().ended).toEqual([]);
    const loading = reader.loadOlder();
    await settle();
    await loading;
    expect(reader.snapshot().ended.map(({ cause }) => cause)).toEqual([far.id]);
  });

  test("and ended long ago is asked for with the page of its message", async () => {
    const { world, house, open, settle } = setUp();
    const far = house.say("far");
    const id = house.queue(far.id);
    house.settle(id, "failed");
    for (let count = 0; count < 70; count += 1) {
      await world.advance(1);
      const { id: cause } = house.say("x");
      house.finish(house.queue(cause), "replied", "y");
    }
    const { reader } = open();
    await settle();
    expect(reader.snapshot().ended).toEqual([]);
    const loading = reader.loadOlder();
    await settle();
    await loading;
    expect(reader.snapshot().ended.map((one) => one.id)).toEqual([id]);
  });

  test("is marked as stopping at once, until it has ended or the house will not stop it", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const id = house.queue(cause.id);
    house.run(id);
    await settle();
    const release = house.hold("stop");
    const stopping = reader.stop(id);
    await settle();
    expect(reader.snapshot().live).toMatchObject([{ isStopping: true }]);
    house.delta(id, { type: "text-delta", text: "still" });
    release();
    await settle();
    await stopping;
    expect(reader.snapshot().live).toMatchObject([{ isStopping: true, parts: [{ text: "still" }] }]);
    house.finish(id, "stopped");
    await settle();
    expect(reader.snapshot()).toMatchObject({ live: [], ended: [{ state: "stopped" }] });

    const other = house.queue(cause.id);
    await settle();
    house.fail("stop", "auth.denied");
    const failing = reader.stop(other).catch((error: unknown) => error);
    await settle();
    expect(await failing).toMatchObject({ code: "auth.denied" });
    expect(reader.snapshot().live).toMatchObject([{ isStopping: false }]);
  });

  test("in the past is asked for once, and again after a failure or while it runs", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const id = house.queue(cause.id);
    const ask = async () => {
      const asked = reader.partsOf(id).catch((error: unknown) => error);
      await settle();
      return asked;
    };
    house.setParts(id, [{ kind: "text", text: "half" }]);
    expect(await ask()).toEqual([{ kind: "text", text: "half" }]);
    house.setParts(id, [{ kind: "text", text: "whole" }]);
    house.finish(id, "replied");
    house.fail("activation", "house.unreachable");
    expect(await ask()).toMatchObject({ code: "house.unreachable" });
    house.fail("activation");
    expect(await ask()).toEqual([{ kind: "text", text: "whole" }]);
    const count = house.calls.length;
    expect(await ask()).toEqual([{ kind: "text", text: "whole" }]);
    expect(house.calls.length).toBe(count);
  });
});

describe("after an outage", () => {
  test("of the daemon, what runs is found again with what it shows by then, and what failed meanwhile is shown", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const [running, failed, gone, replied] = Array.from({ length: 4 }, () => house.queue(cause.id)) as [
      ActivationId,
      ActivationId,
      ActivationId,
      ActivationId,
    ];
    for (const id of [running, failed, gone, replied]) house.run(id);
    house.delta(running, { type: "text-delta", text: "before, and more" });
    await settle();
    expect(reader.snapshot().live).toHaveLength(4);
    house.wire.restart();
    house.live(running, { type: "activation-running", cause: cause.id });
    house.delta(running, { type: "text-delta", text: "after" });
    house.settle(failed, "failed", { reason: "the daemon stopped" });
    house.settle(replied, "replied");
    house.settle(gone, "skipped");
    house.reply(replied, "here");
    await settle(5_000);
    expect(shownText(reader.snapshot())).toEqual(["after"]);
    expect(texts(reader.snapshot())).toEqual(["hello", "here"]);
    expect(
      reader
        .snapshot()
        .ended.map(({ id }) => id)
        .toSorted(),
    ).toEqual([failed, gone].toSorted());
  });

  test("what the house does not know any more is not shown any more", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    const lost = house.queue(cause.id);
    house.run(lost);
    await settle();
    house.client.rooms.activations = () => Promise.resolve([]);
    house.fail("activation", "auth.denied");
    house.wire.restart();
    await settle(5_000);
    expect(reader.snapshot().live).toHaveLength(1);
    house.fail("activation", "activation.not-found");
    house.wire.restart();
    await settle(5_000);
    expect(reader.snapshot().live).toEqual([]);
    expect(house.wire.requests.at(-1)).toMatchObject({ op: "unsubscribe", stream: `deltas:${lost}` });
  });

  test("what was queued meanwhile is live, also when the list is slower than the streams", async () => {
    const { house, settle, reader, cause } = await setUpOpen();
    house.wire.refuse(1006);
    house.wire.cut();
    await settle();
    const done = house.queue(cause.id);
    house.run(done);
    const still = house.queue(cause.id);
    const release = house.hold("activations");
    house.wire.refuse(undefined);
    await settle(5_000);
    expect(reader.snapshot().live.map(({ id }) => id)).toEqual([done, still]);
    house.finish(done, "replied");
    await settle();
    release();
    await settle();
    expect(reader.snapshot().live.map(({ id }) => id)).toEqual([still]);
  });
});

describe("messages on their way", () => {
  test("are shown as pending until the room has them: never both, never neither", async () => {
    for (const isCut of [false, true]) {
      const { house, settle, reader, snapshots } = await setUpOpen();
      const before = snapshots.length;
      if (isCut) {
        house.wire.refuse(1006);
        house.wire.cut();
      }
      const release = house.hold("post");
      reader.send("mine", undefined);
      await settle();
      expect(reader.snapshot().pending).toMatchObject([{ text: "mine", state: "sending" }]);
      release();
      await settle();
      expect(reader.snapshot().pending).toHaveLength(isCut ? 1 : 0);
      house.wire.refuse(undefined);
      await settle(5_000);
      const seen = snapshots.slice(before).filter(({ pending, messages }) => pending.length > 0 || messages.length > 1);
      for (const { messages, pending } of seen) expect(messages.length - 1 + pending.length).toBe(1);
      expect(texts(reader.snapshot())).toEqual(["hello", "mine"]);
      expect(reader.snapshot().pending).toEqual([]);
    }
  });

  test("give way to the stored one also when its answer never came", async () => {
    const { house, settle, reader, outbox } = await setUpOpen();
    house.fail("post", "house.unreachable");
    reader.send("mine");
    await settle();
    const [pending] = outbox.pending(house.room.id);
    house.say("mine", { key: pending!.key });
    await settle();
    expect(texts(reader.snapshot())).toEqual(["hello", "mine"]);
    expect(reader.snapshot().pending).toEqual([]);
  });

  test("are not taken for another author's with the same key", async () => {
    const { house, settle, reader, outbox } = await setUpOpen();
    house.fail("post", "house.unreachable");
    reader.send("mine");
    await settle();
    house.say("theirs", { key: outbox.pending(house.room.id)[0]!.key, author: house.bot.id });
    await settle();
    expect(reader.snapshot().pending).toMatchObject([{ text: "mine", state: "waiting" }]);
  });

  test("that were stored long before their answer came leave nothing pending", async () => {
    const { house, open, settle, outbox } = setUp();
    house.fail("post", "house.unreachable");
    outbox.add(house.room.id, "mine");
    await settle();
    house.say("mine", { key: outbox.pending(house.room.id)[0]!.key });
    for (const text of numbers(80)) house.say(text);
    const { reader } = open();
    await settle();
    house.fail("post");
    outbox.nudge();
    await settle();
    expect(reader.snapshot().pending).toEqual([]);
  });

  test("can be refused, sent again and discarded", async () => {
    const { house, settle, reader } = await setUpOpen();
    const reply = house.say("to this");
    house.fail("post", "auth.denied");
    reader.send("one", reply.id);
    reader.send("two");
    await settle();
    expect(reader.snapshot().pending).toMatchObject([
      { text: "one", state: "refused", error: { code: "auth.denied" }, replyTo: reply.id },
      { text: "two", state: "refused" },
    ]);
    const [one, two] = reader.snapshot().pending;
    reader.discard(two!.key);
    house.fail("post");
    reader.retry(one!.key);
    await settle();
    expect(reader.snapshot().messages.at(-1)).toMatchObject({ text: "one", replyTo: reply.id });
    expect(reader.snapshot().pending).toEqual([]);
  });
});

test("cut, silenced and restarted at random it shows what the house has: nothing lost, nothing double, nothing left over", async () => {
  for (let round = 1; round <= 20; round += 1) {
    const { world, house, open, settle, random } = setUp();
    for (let skip = 0; skip < round * 7; skip += 1) random();
    const chance = (below: number): boolean => random() < below;
    for (const text of numbers(50)) house.say(text);
    house.wire.cutAfter(() => 3 + Math.floor(random() * 40));
    const { reader, snapshots } = open();
    const running: ActivationId[] = [];
    const failed: ActivationId[] = [];
    const causes = new Map<ActivationId, EventId>();
    for (let count = 0; count < 60; count += 1) {
      house.wire.setBatch(1 + Math.floor(random() * 4));
      const message = house.say(`said ${count}`);
      if (chance(0.3)) reader.send(`own ${count}`);
      if (chance(0.2)) house.edit(message.id, `edited ${count}`);
      if (chance(0.1)) house.remove(message.id);
      if (chance(0.4)) {
        const id = house.queue(message.id);
        house.run(id);
        running.push(id);
        causes.set(id, message.id);
      }
      for (const id of running) if (chance(0.5)) house.delta(id, { type: "text-delta", text: `${count} ` });
      if (running.length > 0 && chance(0.5)) {
        const [id] = running.splice(Math.floor(random() * running.length), 1) as [ActivationId];
        const state = chance(0.7) ? "replied" : "failed";
        if (state === "failed") failed.push(id);
        house.finish(id, state, `reply ${count}`);
      }
      if (chance(0.05)) house.wire.restart();
      if (chance(0.05)) house.wire.cut();
      if (chance(0.03)) house.wire.silence();
      house.fail("post", chance(0.3) ? "house.unreachable" : undefined);
      if (chance(0.6)) await world.advance(Math.floor(random() * 400));
    }
    house.fail("post");
    house.wire.cutAfter(undefined);
    house.wire.cut();
    // Messages of one's own go one after the other, each with its turns.
    for (let count = 0; count < 20; count += 1) await settle(10_000);
    while (reader.snapshot().hasOlder) {
      const loading = reader.loadOlder();
      await settle();
      await loading;
    }
    const events = house.wire.read(`room:${house.room.id}`);
    const stored = events.filter((event) => event.type === "message");
    const { messages, live, ended, pending } = reader.snapshot();
    expect(messages.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    const deleted = new Set(events.flatMap((event) => (event.type === "message-deleted" ? [event.message] : [])));
    expect(
      messages
        .filter(({ isDeleted }) => isDeleted)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([...deleted].toSorted());
    for (const { message, body } of events.filter((event) => event.type === "message-edited"))
      if (!deleted.has(message)) expect(messages.find(({ id }) => id === message)?.text).toBe(body.text);
    expect(live.map(({ id }) => id).toSorted()).toEqual(running.toSorted());
    const standing = failed.filter((id) => !deleted.has(causes.get(id)!));
    expect(ended.map(({ id }) => id).toSorted()).toEqual(standing.toSorted());
    expect(pending).toEqual([]);
    for (const snapshot of snapshots) {
      const replied = new Set(snapshot.messages.map(({ activation }) => activation));
      expect(snapshot.live.some(({ id }) => replied.has(id))).toBe(false);
    }
  }
});
