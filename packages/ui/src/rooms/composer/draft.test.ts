import { expect, test } from "bun:test";
import { createFakeRoom, createFakeUi } from "../../house/fake-ui.tsx";
import { draftOf, editDraftOf } from "./draft.ts";
import { eventId } from "../fake-room.ts";

const room = createFakeRoom(1, "One").id;
const other = createFakeRoom(2, "Two").id;

test("each room and each edited message has its own draft", () => {
  const { storage } = createFakeUi();
  draftOf(storage, room).write("one");
  draftOf(storage, other).write("two");
  editDraftOf(storage, eventId(1)).write("edit");
  expect([
    draftOf(storage, room).read(),
    draftOf(storage, other).read(),
    editDraftOf(storage, eventId(1)).read(),
  ]).toEqual(["one", "two", "edit"]);
});

test("an empty or cleared draft is removed from storage", () => {
  const { storage } = createFakeUi();
  const draft = draftOf(storage, room);
  draft.write("one");
  draft.write("");
  expect(storage.names()).toEqual([]);
  draft.write("one");
  draft.clear();
  expect([draft.read(), storage.names()]).toEqual([undefined, []]);
});

test("full storage keeps no outdated draft and throws no error", () => {
  const { storage } = createFakeUi();
  draftOf(storage, room).write("old");
  const full = {
    ...storage,
    set: () => {
      throw new Error("full");
    },
  };
  draftOf(full, room).write("new");
  expect(draftOf(storage, room).read()).toBeUndefined();
});
