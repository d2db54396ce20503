import { describe, expect, test } from "bun:test";
import { numbers, setUp, setUpOpen, shownText, texts } from "./fake-reading.ts";

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

  test("loads everything back to a message that is far back, in large pages", async () => {
    const { house, open, settle } = setUp();
    for (const text of numbers(2500)) house.say(text);
    const { reader } = open();
    await settle();
    const offset = reader.snapshot().messages[0]!.offset - 1500;
    const loading = reader.loadThrough(offset);
    await settle();
    await loading;
    const [first] = reader.snapshot().messages;
    expect(first!.offset).toBeLessThanOrEqual(offset);
    expect(house.calls.filter((call) => call === "events")).toHaveLength(3);
    await reader.loadThrough(offset);
    expect(house.calls.filter((call) => call === "events")).toHaveLength(3);
    expect(texts(reader.snapshot()).length).toBe(2060);
  });

  test("shows that older messages are loading, and throws the house's error", async () => {
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

  test("skips pages that contain only edits", async () => {
    const { house, open, settle } = setUp();
    const { id } = house.say("one");
    for (let count = 0; count < 300; count += 1) house.edit(id, `edit ${count}`);
    const { reader } = open();
    await settle();
    expect(texts(reader.snapshot())).toEqual(["edit 299"]);
  });

  test("of an empty room is ready with no messages", async () => {
    const { house, open, settle } = setUp();
    house.wire.refuse(1006);
    const { reader } = open();
    house.wire.silence();
    await settle();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, messages: [], hasOlder: false });
  });

  test("is retried while the house does not answer, and fails on a permanent error", async () => {
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

  test("fails when the house ends the reader's access to the stream", async () => {
    const { house, open, settle } = setUp();
    house.wire.deny(`room:${house.room.id}`, { code: "auth.denied", message: "no" });
    const { reader } = open();
    await settle();
    expect(reader.snapshot().state).toMatchObject({ kind: "failed", error: { code: "auth.denied" } });
  });
});

describe("an open room", () => {
  test("makes one change of all events in one frame", async () => {
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

  test("does not notify without a change, and never notifies removed listeners", async () => {
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

  test("stops all requests when it is disposed while opening", async () => {
    const { house, open, settle } = setUp();
    house.fail("all", "house.unreachable");
    const { reader, snapshots } = open();
    await settle();
    reader[Symbol.dispose]();
    const count = house.calls.length;
    await settle(60_000);
    expect([house.calls.length, house.wire.dialed(), snapshots.length]).toEqual([count, 0, 0]);
  });

  test("keeps unchanged parts as the same objects", async () => {
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

  test("shows edits and deletions, its own at once and others as they arrive", async () => {
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

  test("that was closed and reopened a moment later resumes at its position", async () => {
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
    const asked = house.wire.requests.filter(
      (request) => request.op === "subscribe" && request.stream === `room:${house.room.id}`,
    );
    expect(asked.map((request) => (request.op === "subscribe" ? request.after : undefined))).toEqual([1, 1]);
  });

  test("that stays closed fails and stops all requests", async () => {
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

  test("that is disposed while it is closed stops all requests", async () => {
    const { house, settle, reader } = await setUpOpen();
    house.wire.close(`room:${house.room.id}`, `live:${house.room.id}`);
    await settle();
    reader[Symbol.dispose]();
    const { length } = house.wire.requests;
    await settle(5_000);
    expect(house.wire.requests.slice(length).filter(({ op }) => op === "subscribe")).toEqual([]);
  });

  test("once disposed notifies no listener and follows nothing", async () => {
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

test("of a house restored from a backup shows the current content and continues from there", async () => {
  const { house, settle, reader } = await setUpOpen();
  for (const text of numbers(4)) house.say(text);
  await settle();
  house.wire.restoreTo(`room:${house.room.id}`, 3);
  await settle(1_000);
  expect(texts(reader.snapshot())).toEqual(["hello", "1", "2"]);
  house.say("other");
  await settle();
  expect(texts(reader.snapshot())).toEqual(["hello", "1", "2", "other"]);
  expect(reader.snapshot()).toMatchObject({ hasOlder: false, isCurrent: true });
});
