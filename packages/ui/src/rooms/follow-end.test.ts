import { expect, test } from "bun:test";
import { followsEnd, type ScrollPlace, wantsOlder } from "./follow-end.ts";

const place = (offset: number, size = 2000, viewport = 500): ScrollPlace => ({ offset, viewport, size });
const END = place(1500);

test("a step up lets go of the end, however small", () => {
  expect(followsEnd(true, END, place(1495))).toBe(false);
});

test("growth at the end does not let go of it", () => {
  expect(followsEnd(true, END, place(1500, 2300))).toBe(true);
});

test("what shrinks above moves the list and does not let go of the end", () => {
  expect(followsEnd(true, place(1490, 2000), place(1390, 1900))).toBe(true);
});

test("a list cut shorter than its place is at its end", () => {
  expect(followsEnd(false, END, place(1000, 1500))).toBe(true);
});

test("coming down near the end takes it up again, and not before", () => {
  expect(followsEnd(false, place(1000), place(1400))).toBe(false);
  expect(followsEnd(false, place(1400), place(1460))).toBe(true);
});

test("being moved down by what came above does not take up the end", () => {
  expect(followsEnd(false, place(300), place(5300, 7000))).toBe(false);
});

test("standing still near the end changes nothing", () => {
  expect(followsEnd(false, place(1480), place(1480))).toBe(false);
});

test("earlier messages are wanted two screens before the top", () => {
  expect(wantsOlder(place(1001))).toBe(false);
  expect(wantsOlder(place(999))).toBe(true);
});
