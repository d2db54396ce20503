import { expect, test } from "bun:test";
import type { RoomMessage } from "@hearth/client";
import { fakeEntry, fakeMain, fakeOwner } from "../../house/fake-ui.tsx";
import { createFakeMessage, createFakeReply, createFakeSnapshot, eventId } from "../fake-room.ts";
import { findNewSpokenReply } from "./new-messages.ts";

const mine = { spokenFor: [fakeOwner.id] };
const asked = createFakeSnapshot({ messages: [createFakeMessage(2)] });
const after = (...messages: readonly RoomMessage[]) => ({ ...asked, messages: [createFakeMessage(2), ...messages] });
const heard = (snapshot = asked, before = asked, me: typeof fakeOwner.id | undefined = fakeOwner.id) =>
  findNewSpokenReply(before, snapshot, me);

test("the last new reply that is spoken for the user is heard, once", () => {
  const done = after(createFakeReply(3, mine), createFakeReply(4, mine), createFakeReply(5));
  expect(heard(done)).toBe(eventId(4));
  expect(heard({ ...done }, done)).toBeUndefined();
});

test("replies for other people, deleted ones, copies, older pages and an opening room are not heard", () => {
  expect(heard(after(createFakeReply(3, { spokenFor: [fakeMain.id] })))).toBeUndefined();
  expect(heard(after(createFakeReply(3)))).toBeUndefined();
  expect(heard(after(createFakeReply(3, { ...mine, isDeleted: true })))).toBeUndefined();
  const copied = { room: fakeEntry.room.id, message: eventId(9), offset: 9 };
  expect(heard(after(createFakeReply(3, { ...mine, copied })))).toBeUndefined();
  const older = { ...asked, messages: [createFakeReply(1, mine), createFakeMessage(2)] };
  expect(heard(older)).toBeUndefined();
  const loading = createFakeSnapshot({ state: { kind: "loading" } });
  expect(heard(after(createFakeReply(3, mine)), loading)).toBeUndefined();
  expect(findNewSpokenReply(asked, after(createFakeReply(3, mine)), undefined)).toBeUndefined();
});
