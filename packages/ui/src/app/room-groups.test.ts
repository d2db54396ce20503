import { expect, test } from "bun:test";
import type { RoomEntry } from "@hearth/client";
import { createFakeRoom, fakeEntry } from "../house/fake-ui.tsx";
import { groupRooms, flattenGroups } from "./room-groups.ts";

const chat = (count: number, name: string, more: Partial<RoomEntry> = {}, content = {}): RoomEntry => ({
  ...fakeEntry,
  room: createFakeRoom(count, name, { kind: "direct", ...content }),
  ...more,
});
const names = (entries: readonly RoomEntry[]): string[] => entries.map(({ room }) => room.handle);

test("pinned rooms come first, then chats, then groups; archived rooms are apart", () => {
  const groups = groupRooms(
    [
      chat(1, "one"),
      chat(2, "den", { isPinned: true }, { kind: "group" }),
      chat(3, "kitchen", {}, { kind: "group" }),
      chat(4, "two"),
      chat(5, "old", { isArchived: true, isPinned: true }),
    ],
    "/rooms/one",
  );
  expect(names(flattenGroups(groups))).toEqual(["den", "one", "two", "kitchen"]);
  expect([names(groups.pinned), names(groups.archived)]).toEqual([["den"], ["old"]]);
});

test("a new chat without a message is listed only while it is open", () => {
  const unused = chat(1, "new", {}, { titleFrom: "next" });
  expect(flattenGroups(groupRooms([unused], "/rooms/other"))).toEqual([]);
  expect(names(flattenGroups(groupRooms([unused], "/rooms/new")))).toEqual(["new"]);
  expect(names(flattenGroups(groupRooms([{ ...unused, head: 1 }], "/rooms/other")))).toEqual(["new"]);
});
