import { expect, test } from "bun:test";
import { createTypingDetector, meaningOf, type Press, TYPING_MS } from "./keys.ts";
import { createSteadiness, STEADY_MS } from "./steadiness.ts";

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...more,
});

test("plain keys move through the list and decide; keys with modifiers do nothing", () => {
  expect(["j", "ArrowDown", "k", "ArrowUp", "a", "d", "x", "toString"].map((key) => meaningOf(press(key)))).toEqual([
    ...["next", "next", "previous", "previous", "allow", "deny"],
    ...[undefined, undefined],
  ] as never);
  for (const held of ["ctrlKey", "metaKey", "altKey", "shiftKey"])
    for (const key of ["a", "d", "j"]) expect(meaningOf(press(key, { [held]: true }))).toBeUndefined();
});

test("a key that is held down moves on, and decides nothing", () => {
  expect(meaningOf(press("j", { repeat: true }))).toBe("next");
  for (const key of ["a", "d"]) expect(meaningOf(press(key, { repeat: true }))).toBeUndefined();
});

test("a key counts as a shortcut only if no other key came just before it", () => {
  const typing = createTypingDetector();
  expect([0, 100, 100 + TYPING_MS - 1, 100 + 2 * TYPING_MS].map((at) => typing.press(at))).toEqual([
    ...[true, false, false, true],
  ]);
});

test("a card that appeared or moved a moment ago is not steady; one that stood still is", () => {
  const steadiness = createSteadiness();
  steadiness.report("here", 1000);
  expect(steadiness.isSteady("here", 1000 + STEADY_MS - 1)).toBe(false);
  expect(steadiness.isSteady("here", 1000 + STEADY_MS)).toBe(true);
  expect(steadiness.isSteady("there", 1100 + STEADY_MS)).toBe(false);
  expect(steadiness.isSteady("there", 1100 + 2 * STEADY_MS)).toBe(true);
});

test("a card that was out of sight has to be steady again", () => {
  expect(createSteadiness().isSteady("here", 9000)).toBe(false);
  const steadiness = createSteadiness();
  for (const at of [0, 300, 600]) steadiness.report("here", at);
  expect(steadiness.isSteady("here", 700)).toBe(true);
  expect(steadiness.isSteady("here", 60_000)).toBe(false);
});
