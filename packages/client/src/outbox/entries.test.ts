/** The messages of an outbox in the storage that all tabs share. */
import { expect, test } from "bun:test";
import { type EventId, RoomId } from "@hearth/protocol";
import { createMemoryStorage, type Storage } from "../storage.ts";
import { createEntries, type Entry } from "./entries.ts";

const ROOM = RoomId.parse(`room_${"1".repeat(26)}`);
const OTHER = RoomId.parse(`room_${"2".repeat(26)}`);

const entryOf = (key: string, order: number, more: Partial<Entry> = {}): Entry => ({
  ...{ key, room: ROOM, order, text: `text of ${key}`, files: [], replyTo: undefined, at: 1, error: undefined },
  ...more,
});
const ignore = (): void => {};
const keysOf = (storage: Storage, room = ROOM): readonly string[] => {
  using entries = createEntries(storage, ignore);
  return entries.ofRoom(room).map(({ key }) => key);
};
/** The only entry that another tab reads from this stored value. */
const reread = (value: unknown): Entry | undefined => {
  const storage = createMemoryStorage();
  storage.set("outbox:k", typeof value === "string" ? value : JSON.stringify(value));
  using entries = createEntries(storage, ignore);
  return entries.get("k");
};

test("entries are in the order of their numbers, then of their times, then of their keys", () => {
  const storage = createMemoryStorage();
  using entries = createEntries(storage, ignore);
  expect(entries.nextOrder()).toBe(1);
  for (const entry of [
    entryOf("d", 2),
    entryOf("c", 1, { at: 3 }),
    entryOf("b", 1, { at: 2 }),
    entryOf("a2", 1),
    entryOf("a1", 1),
    entryOf("x", 7, { room: OTHER }),
  ])
    entries.put(entry);
  expect(entries.ofRoom(ROOM).map(({ key }) => key)).toEqual(["a1", "a2", "b", "c", "d"]);
  expect([keysOf(storage), keysOf(storage, OTHER)]).toEqual([["a1", "a2", "b", "c", "d"], ["x"]]);
  expect([entries.nextOrder(), [...entries.rooms()]]).toEqual([8, [ROOM, OTHER]]);
  entries.drop("x");
  expect([entries.get("x"), [...entries.rooms()], keysOf(storage, OTHER)]).toEqual([undefined, [ROOM], []]);
});

test("changes of another tab are read, and reported only if an entry changed", () => {
  const storage = createMemoryStorage();
  let reports = 0;
  using entries = createEntries(storage, () => void (reports += 1));
  const tab = storage.openTab();
  {
    using others = createEntries(tab, ignore);
    others.put(entryOf("a", 1));
    expect([entries.get("a")?.text, reports]).toEqual(["text of a", 1]);
    others.put(entryOf("a", 1, { text: "changed" }));
    expect([entries.get("a")?.text, reports]).toEqual(["changed", 2]);
    tab.set("theme", "dark");
    tab.set("outbox:broken", "{");
    expect(reports).toBe(2);
    others.drop("a");
    expect([entries.get("a"), reports]).toEqual([undefined, 3]);
  }
  entries[Symbol.dispose]();
  tab.set("outbox:b", JSON.stringify(entryOf("b", 1)));
  expect([entries.get("b"), reports]).toEqual([undefined, 3]);
});

test("an entry that does not fit into the storage stays in memory, also when another tab changes something", () => {
  const storage = createMemoryStorage({ maxLength: 400 });
  using entries = createEntries(storage, ignore);
  entries.put(entryOf("big", 1, { text: "x".repeat(1000) }));
  storage.openTab().set("theme", "dark");
  expect(entries.ofRoom(ROOM).map(({ key }) => key)).toEqual(["big"]);
  expect(keysOf(storage)).toEqual([]);
});

test("an entry is read with its files, its reply and its refusal", () => {
  const files = [{ key: "f", name: "a.png", sizeBytes: 3 }];
  const error = { code: "auth.denied", message: "No." } as const;
  const full = entryOf("k", 1, { files, replyTo: `evt_${"1".repeat(26)}` as EventId, error });
  expect(reread(full)).toEqual(full);
  expect(reread({ ...full, text: "" })).toEqual({ ...full, text: "" });
  expect(
    reread({ ...full, files: [...files, {}, { key: "g", name: 1, sizeBytes: 3 }, { key: "g", name: "g" }] }),
  ).toEqual(full);
  expect(reread({ ...full, files: undefined })?.files).toEqual([]);
  expect(reread({ ...full, error: { code: "future.code", message: "No." } })?.error).toBeUndefined();
});

test.each([
  ["no JSON", "{"],
  ["null", "null"],
  ["a number", "1"],
  ["without a room", { ...entryOf("k", 1), room: undefined }],
  ["with another id as its room", { ...entryOf("k", 1), room: "agent_1" }],
  ["without an order", { ...entryOf("k", 1), order: "1" }],
  ["without a time", { ...entryOf("k", 1), at: null }],
  ["without a text and files", { ...entryOf("k", 1), text: "" }],
  ["with an invalid reply", { ...entryOf("k", 1), replyTo: "x" }],
])("a stored value is ignored that is %s", (_what, value) => {
  expect(reread(value)).toBeUndefined();
});
