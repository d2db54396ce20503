import { describe, expect, test } from "bun:test";
import { type ErrorCode, type EventId, HearthError, type RoomId, type StoredMessage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { noFiles } from "./files/fake-files.ts";
import { createOutbox } from "./outbox/stored-outbox.ts";
import type { OutboxOptions } from "./outbox.ts";
import { createMemoryStorage, type MemoryStorage } from "./storage.ts";

const ROOM = `room_${"0".repeat(25)}1` as RoomId;
const OTHER = `room_${"0".repeat(25)}2` as RoomId;
const REPLIED = `evt_${"0".repeat(25)}1` as EventId;

const setUp = (storage: MemoryStorage = createMemoryStorage()) => {
  const world = createFakeWorld({ hash: () => "" });
  /** The messages of the house, by key; the first post counts. */
  const kept = new Map<string, string>();
  const posts: string[] = [];
  let failure: ((text: string) => ErrorCode | "silence" | "lost answer" | undefined) | undefined;
  let count = 0;

  const post = async (
    room: RoomId,
    {
      text,
      attachments,
      idempotencyKey,
      replyTo,
    }: { text: string; attachments?: readonly string[]; idempotencyKey: string; replyTo?: EventId },
  ): Promise<StoredMessage> => {
    posts.push(attachments === undefined ? text : `${text} ${attachments.join(" ")}`);
    await Promise.resolve();
    const code = failure?.(text);
    if (code === "silence") return new Promise(() => undefined);
    if (code !== undefined && code !== "lost answer") throw new HearthError(code, "no", { hint: "do" });
    if (!kept.has(idempotencyKey)) kept.set(idempotencyKey, text);
    if (code === "lost answer") throw new HearthError("house.unreachable", "gone");
    return { room, key: idempotencyKey, body: { format: "markdown", text }, replyTo, offset: kept.size } as never;
  };
  const [uploaded, steps] = [Promise.withResolvers<void>(), [] as string[]];
  const files: OutboxOptions["files"] = {
    async upload(key) {
      steps.push(`upload ${key}`);
      await uploaded.promise;
      return { id: `id-of-${key}` } as never;
    },
    done: (key) => void steps.push(`done ${key}`),
    drop: (key) => void steps.push(`drop ${key}`),
  };
  const openTab = (tab: MemoryStorage) =>
    createOutbox({ storage: tab, post, files, clock: world.clock, newKey: () => `key-${(count += 1)}` });
  return {
    world,
    storage,
    posts,
    openTab,
    outbox: openTab(storage),
    steps,
    uploaded,
    kept: () => [...kept.values()],
    fail: (next: typeof failure) => void (failure = next),
    settle: () => world.advance(0),
  };
};

const unreachable = (): ErrorCode => "house.unreachable";

describe("the outbox", () => {
  test("has a message in storage before `add` returns, until the house has confirmed it", async () => {
    const { outbox, storage, settle, kept } = setUp();
    const key = outbox.add(ROOM, "hello", { replyTo: REPLIED });
    expect(storage.names()).toHaveLength(1);
    expect(outbox.pending(ROOM)).toMatchObject([{ key, text: "hello", replyTo: REPLIED, state: "sending" }]);
    await settle();
    expect([storage.names(), outbox.pending(ROOM), kept()]).toEqual([[], [], ["hello"]]);
  });

  test("notifies listeners of each sent message before it leaves `pending`, and never lists it as waiting again", async () => {
    const { outbox, settle } = setUp();
    const sent: unknown[] = [];
    const stop = outbox.onSent((key, message) =>
      sent.push([key, message.body.text, message.replyTo, outbox.pending(ROOM).map(({ state }) => state)]),
    );
    const key = outbox.add(ROOM, "hello", { replyTo: REPLIED });
    await settle();
    stop();
    outbox.add(ROOM, "unheard");
    await settle();
    expect(sent).toEqual([[key, "hello", REPLIED, ["sending"]]]);
  });

  test("sends a message with files once the house has all of them, however long that takes", async () => {
    const { outbox, storage, openTab, world, posts, steps, uploaded } = setUp();
    const files = ["a", "b"].map((key) => ({ key, name: `${key}.txt`, sizeBytes: 1 }));
    outbox.add(ROOM, "", { files });
    await world.advance(600_000);
    expect([posts, steps]).toEqual([[], ["upload a", "upload b"]]);
    const reopened = openTab(storage.openTab());
    expect(reopened.pending(ROOM)).toMatchObject([{ text: "", files, state: "sending" }]);
    reopened[Symbol.dispose]();
    uploaded.resolve();
    await world.advance(0);
    expect(posts).toEqual([" id-of-a id-of-b"]);
    expect(steps.slice(-2)).toEqual(["done a", "done b"]);
    expect([outbox.pending(ROOM), storage.names()]).toEqual([[], []]);
  });

  test("removes the files of a refused message that is discarded", async () => {
    const { outbox, fail, world, steps, uploaded } = setUp();
    uploaded.resolve();
    fail(() => "auth.denied");
    const key = outbox.add(ROOM, "x", { files: [{ key: "a", name: "a", sizeBytes: 1 }] });
    await world.advance(0);
    outbox.discard(key);
    expect(steps).toEqual(["upload a", "drop a"]);
  });

  test("calls back at each step of a message", async () => {
    const { outbox, fail, settle } = setUp();
    const steps: string[] = [];
    outbox.onChange(() => steps.push(outbox.pending(ROOM).map(({ state }) => state)[0] ?? "gone"));
    fail(() => "auth.denied");
    const key = outbox.add(ROOM, "x");
    await settle();
    expect(steps.splice(0)).toEqual(["waiting", "sending", "refused"]);
    fail(undefined);
    outbox.retry(key);
    await settle();
    expect(steps.splice(0)).toEqual(["waiting", "sending", "gone"]);
    fail(() => "house.closing");
    outbox.add(ROOM, "y");
    await settle();
    expect(steps.splice(0)).toEqual(["waiting", "sending", "waiting"]);
    outbox.discard(outbox.pending(ROOM)[0]!.key);
    expect(steps).toEqual(["gone"]);
  });

  test("calls back when entries change, and keeps unchanged entries as the same objects", async () => {
    const { outbox, fail, settle, world } = setUp();
    fail(unreachable);
    outbox.add(ROOM, "one");
    await settle();
    const [before] = outbox.pending(ROOM);
    let changes = 0;
    const stop = outbox.onChange(() => (changes += 1));
    outbox.add(OTHER, "elsewhere");
    expect(changes).toBeGreaterThan(0);
    expect(outbox.pending(ROOM)[0]).toBe(before!);
    stop();
    const count = changes;
    await world.advance(60_000);
    expect(changes).toBe(count);
  });

  test("sends the messages of one room in their order, one at a time, whatever fails in between", async () => {
    const { outbox, fail, world, kept } = setUp();
    let turn = 0;
    fail(() => ((turn += 1) % 3 === 0 ? undefined : turn % 3 === 1 ? "house.closing" : "lost answer"));
    const texts = Array.from({ length: 12 }, (_, index) => `${index}`);
    for (const text of texts) outbox.add(ROOM, text);
    await world.advance(600_000);
    expect(kept()).toEqual(texts);
    expect(outbox.pending(ROOM)).toEqual([]);
  });

  test("a transient failure is retried with growing pauses", async () => {
    for (const code of [
      "house.unreachable",
      "house.closing",
      "store.unavailable",
      "store.locked",
      "auth.invalid",
    ] as const) {
      const { outbox, fail, world, posts, kept } = setUp();
      fail(() => code);
      outbox.add(ROOM, "patience");
      await world.advance(3_600_000);
      expect(posts.length).toBeGreaterThan(100);
      expect(posts.length).toBeLessThan(130);
      expect(outbox.pending(ROOM)).toMatchObject([{ state: "waiting", error: undefined }]);
      fail(undefined);
      await world.advance(30_000);
      expect(kept()).toEqual(["patience"]);
    }
  });

  test("any other failure marks the message as refused with its error, does not block later messages and survives a reload", async () => {
    const { outbox, storage, openTab, fail, settle, kept, posts } = setUp();
    fail((text) => (text === "bad" ? "request.invalid" : undefined));
    outbox.add(ROOM, "bad");
    outbox.add(ROOM, "good");
    await settle();
    expect(kept()).toEqual(["good"]);
    outbox[Symbol.dispose]();
    const reopened = openTab(storage);
    await settle();
    expect(reopened.pending(ROOM)).toMatchObject([
      { text: "bad", state: "refused", error: { code: "request.invalid", hint: "do" } },
    ]);
    expect(posts).toEqual(["bad", "good"]);
  });

  test("a thrown error that is not a HearthError marks the message as refused too", async () => {
    const world = createFakeWorld({ hash: () => "" });
    const post = () => Promise.reject(new TypeError("a bug"));
    const outbox = createOutbox({
      storage: createMemoryStorage(),
      post,
      files: noFiles,
      clock: world.clock,
      newKey: () => "k",
    });
    outbox.add(ROOM, "x");
    await world.advance(0);
    expect(outbox.pending(ROOM)).toMatchObject([{ state: "refused", error: { code: "house.bug" } }]);
  });

  test("a refused message can be sent again or discarded; one that is being sent is not taken back", async () => {
    const { outbox, storage, fail, settle, kept } = setUp();
    fail((text) => (text.startsWith("bad") ? "auth.denied" : text === "slow" ? "silence" : undefined));
    const again = outbox.add(ROOM, "bad at first");
    const never = outbox.add(ROOM, "bad for ever");
    await settle();
    outbox.discard(never);
    expect(outbox.pending(ROOM).map(({ key }) => key)).toEqual([again]);
    fail(undefined);
    outbox.retry(again);
    outbox.retry("unknown");
    await settle();
    expect([kept(), storage.names()]).toEqual([["bad at first"], []]);
    fail(() => "silence");
    const slow = outbox.add(ROOM, "slow");
    await settle();
    outbox.discard(slow);
    outbox.discard("unknown");
    expect(outbox.pending(ROOM)).toMatchObject([{ key: slow, state: "sending" }]);
  });

  test("a nudge sends waiting messages at once", async () => {
    const { outbox, fail, world, settle, kept, posts } = setUp();
    fail(unreachable);
    outbox.add(ROOM, "x");
    await world.advance(600_000);
    const before = posts.length;
    outbox.retryNow();
    await settle();
    await world.advance(3_000);
    expect(posts.length - before).toBe(3);
    await world.advance(600_000);
    fail(undefined);
    outbox.retryNow();
    await settle();
    expect(kept()).toEqual(["x"]);
  });

  test("a post that is never answered is sent again, and is one message", async () => {
    const { outbox, fail, world, posts, kept } = setUp();
    fail(() => (posts.length === 1 ? "silence" : undefined));
    outbox.add(ROOM, "x");
    await world.advance(59_000);
    expect(posts).toHaveLength(1);
    await world.advance(5_000);
    expect([posts.length, kept()]).toEqual([2, ["x"]]);
  });

  test("sends what an earlier page load left, in its order, before new messages", async () => {
    const { outbox, storage, openTab, fail, settle, kept } = setUp();
    fail(unreachable);
    for (const text of ["one", "two"]) outbox.add(ROOM, text);
    await settle();
    outbox[Symbol.dispose]();
    fail(undefined);
    const reopened = openTab(storage);
    expect(reopened.pending(ROOM).map(({ text }) => text)).toEqual(["one", "two"]);
    await settle();
    expect(kept()).toEqual(["one", "two"]);
    expect(storage.names()).toEqual([]);
  });

  test("sends new messages after those that an earlier page load left", async () => {
    const { outbox, storage, openTab, fail, settle, kept } = setUp();
    fail(unreachable);
    for (const text of ["one", "two"]) outbox.add(ROOM, text);
    await settle();
    outbox[Symbol.dispose]();
    fail(undefined);
    openTab(storage).add(ROOM, "three");
    await settle();
    expect(kept()).toEqual(["one", "two", "three"]);
  });

  test("follows discards and rewrites by another tab", async () => {
    const { outbox, storage, openTab, fail, settle } = setUp();
    const tab = storage.openTab();
    const beside = openTab(tab);
    let foreign = 0;
    beside.onChange(() => (foreign += 1));
    fail(unreachable);
    const key = outbox.add(ROOM, "one");
    outbox.add(ROOM, "two");
    expect(foreign).toBe(2);
    await settle();
    const [, before] = outbox.pending(ROOM);
    let changes = 0;
    outbox.onChange(() => (changes += 1));
    tab.set("draft:den", "of something else");
    expect(changes).toBe(0);
    expect(outbox.pending(ROOM)[1]).toBe(before!);
    foreign = 0;
    beside.discard(key);
    expect([changes, foreign]).toEqual([1, 1]);
    expect(outbox.pending(ROOM)).toEqual([before!]);
    tab.set("draft:den", "of something else again");
    expect(changes).toBe(1);
    outbox.discard(before!.key);
    expect([foreign, beside.pending(ROOM)]).toEqual([2, []]);
    tab.openTab().set("draft:den", "and again");
    expect([changes, foreign]).toEqual([2, 2]);
  });

  test("another tab shows what this one has not sent, sends it when this one is gone, and forgets it when it is sent", async () => {
    const { outbox, storage, openTab, fail, world, settle, posts, kept } = setUp();
    const beside = openTab(storage.openTab());
    let changes = 0;
    beside.onChange(() => (changes += 1));
    outbox.add(ROOM, "by the first");
    await settle();
    expect(posts).toHaveLength(1);
    expect([changes > 0, beside.pending(ROOM)]).toEqual([true, []]);
    fail(unreachable);
    outbox.add(ROOM, "left behind");
    await settle();
    expect(beside.pending(ROOM)).toMatchObject([{ text: "left behind", state: "waiting" }]);
    outbox[Symbol.dispose]();
    fail(undefined);
    await world.advance(5_000);
    expect(kept()).toEqual(["by the first", "left behind"]);
    expect(storage.names()).toEqual([]);
  });

  test("each message from many tabs is there once, and messages of one tab keep their order", async () => {
    const { outbox, storage, openTab, fail, world, kept } = setUp();
    const tabs = [outbox, openTab(storage.openTab()), openTab(storage.openTab())];
    let turn = 0;
    fail(() => ((turn += 1) % 4 === 0 ? undefined : turn % 4 === 1 ? "lost answer" : "house.unreachable"));
    for (let count = 0; count < 9; count += 1) {
      tabs[count % 3]!.add(ROOM, `${count % 3} ${count}`);
      await world.advance(100);
    }
    await world.advance(3_600_000);
    expect(kept().toSorted()).toEqual(Array.from({ length: 9 }, (_, count) => `${count % 3} ${count}`).toSorted());
    for (const tab of ["0", "1", "2"]) {
      const own = kept().filter((text) => text.startsWith(tab));
      expect(own).toEqual(own.toSorted());
    }
    expect(storage.names()).toEqual([]);
  });

  test("a full storage does not prevent sending", async () => {
    const { outbox, storage, fail, settle, kept } = setUp(createMemoryStorage({ maxLength: 10 }));
    fail(unreachable);
    outbox.add(ROOM, "a long story");
    await settle();
    expect([storage.names(), outbox.pending(ROOM).length]).toEqual([[], 1]);
    fail(undefined);
    outbox.retryNow();
    await settle();
    expect([kept(), outbox.pending(ROOM)]).toEqual([["a long story"], []]);
  });

  test("skips foreign entries in storage and leaves them there", async () => {
    const storage = createMemoryStorage();
    const texts = ["", "{", "null", "7", `{"room":"${ROOM}"}`, `{"room":"den","text":"x","order":1,"at":1}`];
    for (const [index, text] of texts.entries()) storage.set(`outbox:${index}`, text);
    storage.set("draft:den", "mine");
    const { outbox, posts, settle } = setUp(storage);
    await settle();
    expect([outbox.pending(ROOM), posts, storage.names().length]).toEqual([[], [], texts.length + 1]);
  });

  test("leaves no timer behind for answered posts, and none at all once disposed", async () => {
    const { clock, advance } = createFakeWorld({ hash: () => "" });
    let waiting = 0;
    const sleep: typeof clock.sleep = async (ms, signal) => {
      waiting += 1;
      await clock.sleep(ms, signal);
      waiting -= 1;
    };
    const storage = createMemoryStorage();
    const onChange: typeof storage.onChange = (listener) => {
      waiting += 1;
      const stop = storage.onChange(listener);
      return () => {
        waiting -= 1;
        stop();
      };
    };
    let isAway = false;
    const outbox = createOutbox({
      storage: { ...storage, onChange },
      files: noFiles,
      clock: { ...clock, sleep },
      newKey: () => "k",
      post: () =>
        isAway ? Promise.reject(new HearthError("house.unreachable", "no")) : Promise.resolve({ offset: 1 } as never),
    });
    outbox.add(ROOM, "x");
    await advance(0);
    expect(waiting).toBe(1);
    isAway = true;
    outbox.add(ROOM, "y");
    await advance(0);
    expect(waiting).toBe(2);
    outbox[Symbol.dispose]();
    await advance(0);
    expect(waiting).toBe(0);
  });

  test("sends nothing once disposed; its entries stay in storage", async () => {
    const { outbox, storage, fail, world, posts } = setUp();
    fail(unreachable);
    outbox.add(ROOM, "x");
    let changes = 0;
    outbox.onChange(() => (changes += 1));
    outbox[Symbol.dispose]();
    await world.advance(3_600_000);
    expect([posts.length, storage.names().length, changes]).toEqual([1, 1, 0]);
  });
});
