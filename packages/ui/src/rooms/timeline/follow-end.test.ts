import { expect, test } from "bun:test";
import { followsEnd, type ScrollPlace, shouldLoadOlder } from "./follow-end.ts";

const place = (offset: number, size = 2000, viewport = 500): ScrollPlace => ({ offset, viewport, size });
const END = place(1500);

test("any upward scroll stops following the end", () => {
  expect(followsEnd(true, END, place(1495))).toBe(false);
});

test("growth at the end keeps following", () => {
  expect(followsEnd(true, END, place(1500, 2300))).toBe(true);
});

test("content that shrinks above keeps following", () => {
  expect(followsEnd(true, place(1490, 2000), place(1390, 1900))).toBe(true);
});

test("a list that became shorter than its scroll position is at its end", () => {
  expect(followsEnd(false, END, place(1000, 1500))).toBe(true);
});

test("scrolling down near the end resumes following", () => {
  expect(followsEnd(false, place(1000), place(1400))).toBe(false);
  expect(followsEnd(false, place(1400), place(1460))).toBe(true);
});

test("content that grows above does not resume following", () => {
  expect(followsEnd(false, place(300), place(5300, 7000))).toBe(false);
});

test("no movement near the end changes nothing", () => {
  expect(followsEnd(false, place(1480), place(1480))).toBe(false);
});

test("older messages load two screens before the top", () => {
  expect(shouldLoadOlder(place(1001))).toBe(false);
  expect(shouldLoadOlder(place(999))).toBe(true);
});
