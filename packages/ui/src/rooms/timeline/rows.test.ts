import { expect, test } from "bun:test";
import { fakeMain, fakeOwner } from "../../house/fake-ui.tsx";
import {
  activationId,
  createFakeEnded,
  createFakeLive,
  createFakeMessage,
  createFakePending,
  createFakeReply,
  createFakeSnapshot,
  eventId,
  MINUTE,
  NOON,
} from "../fake-room.ts";
import { countPrepended, nameDay, placeMessages, placeUnstored, GROUP_MS, startOfDay } from "./rows.ts";

const place = (...messages: readonly ReturnType<typeof createFakeMessage>[]) =>
  placeMessages(createFakeSnapshot({ messages }));

test("a group of messages by one author starts once, and again after five minutes", () => {
  const rows = place(
    createFakeMessage(1, { at: NOON }),
    createFakeMessage(2, { at: NOON + GROUP_MS }),
    createFakeMessage(3, { at: NOON + 2 * GROUP_MS + 1 }),
  );
  expect(rows.map((row) => row.isGroupStart)).toEqual([true, false, true]);
});

test("another author starts a new group", () => {
  const rows = place(createFakeMessage(1), createFakeReply(2), createFakeReply(3), createFakeMessage(4));
  expect(rows.map((row) => row.isGroupStart)).toEqual([true, true, false, true]);
});

test("a new day gets a heading, also within a group", () => {
  const midnight = startOfDay(NOON) + 24 * 60 * MINUTE;
  const rows = place(createFakeMessage(1, { at: midnight - MINUTE }), createFakeMessage(2, { at: midnight + MINUTE }));
  expect(rows.map((row) => row.day)).toEqual([startOfDay(NOON), midnight]);
  expect(rows[1]!.isGroupStart).toBe(true);
});

test("a run without a reply is placed below its message and ends the group", () => {
  const ended = [createFakeEnded({ id: activationId(9), cause: eventId(1) })];
  const messages = [createFakeMessage(1), createFakeMessage(2)];
  const rows = placeMessages({ messages, ended });
  expect(rows.map((row) => row.kind)).toEqual(["message", "ended", "message"]);
  expect(rows[1]).toMatchObject({ key: activationId(9), cause: messages[0] });
  expect(rows[2]!.isGroupStart).toBe(true);
});

test("a reply takes over the key of its run", () => {
  const messages = [createFakeMessage(1)];
  const live = [createFakeLive({ id: activationId(2) })];
  const [working] = placeUnstored(createFakeSnapshot({ messages, live }), fakeOwner.id);
  expect(working!.key).toBe(place(...messages, createFakeReply(2))[1]!.key);
});

test("a second message of one run has its own key", () => {
  const rows = place(createFakeReply(1), createFakeReply(2, { activation: activationId(1) }));
  expect(rows.map((row) => row.key)).toEqual([activationId(1), eventId(2)]);
});

test("pending messages come before active runs, and continue the author's group", () => {
  const snapshot = createFakeSnapshot({
    messages: [createFakeMessage(1, { at: NOON })],
    pending: [createFakePending({ at: NOON + MINUTE })],
    live: [createFakeLive({ since: NOON + MINUTE })],
  });
  const rows = placeUnstored(snapshot, fakeOwner.id);
  expect(rows.map((row) => [row.kind, row.isGroupStart])).toEqual([
    ["pending", false],
    ["live", true],
  ]);
});

test("an active run continues the group of its agent", () => {
  const messages = [createFakeReply(1, { at: NOON })];
  const [row] = placeUnstored(
    createFakeSnapshot({ messages, live: [createFakeLive({ agent: fakeMain.id, since: NOON + MINUTE })] }),
    fakeOwner.id,
  );
  expect(row!.isGroupStart).toBe(false);
});

test("only rows above the first known row count as prepended", () => {
  const page = place(createFakeMessage(3), createFakeMessage(4));
  expect(countPrepended(page, place(createFakeMessage(1), createFakeMessage(2), createFakeMessage(3)))).toBe(2);
  expect(countPrepended(page, place(createFakeMessage(3), createFakeMessage(4), createFakeMessage(5)))).toBe(0);
  expect(countPrepended([], page)).toBe(0);
  expect(countPrepended(page, place(createFakeMessage(8)))).toBe(0);
});

test("recent days have names", () => {
  const day = (month: number, date: number, year = 2026): number => new Date(year, month, date).getTime();
  expect(nameDay(startOfDay(NOON), NOON, "en")).toBe("Today");
  expect(nameDay(day(2, 3), NOON, "en")).toBe("Yesterday");
  for (const part of ["Sunday", "1", "March"]) expect(nameDay(day(2, 1), NOON, "en-GB")).toContain(part);
  expect(nameDay(day(2, 1), NOON, "en-GB")).not.toContain("2026");
  expect(nameDay(day(11, 31, 2025), NOON, "en-GB")).toContain("December 2025");
  expect(nameDay(day(2, 1), NOON, "de")).toContain("März");
});
