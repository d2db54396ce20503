import { expect, test } from "bun:test";
import { memoize } from "./memoize.ts";

const counted = (maxCharacters?: number) => {
  const worked: string[] = [];
  const call = memoize((text) => {
    worked.push(text);
    return text.toUpperCase();
  }, maxCharacters);
  return { worked, call };
};

test("a result is computed once per text, also when it is empty", () => {
  const { worked, call } = counted();
  expect(["a", "b", "a", "", ""].map(call)).toEqual(["A", "B", "A", "", ""]);
  expect(worked).toEqual(["a", "b", ""]);
});

test("a long text is computed each time and not cached", () => {
  for (const [length, times] of [
    [64 * 1024, 1],
    [64 * 1024 + 1, 2],
  ] as const) {
    const { worked, call } = counted();
    const long = "x".repeat(length);
    expect([call(long), call(long)]).toEqual([long.toUpperCase(), long.toUpperCase()]);
    expect(worked).toHaveLength(times);
  }
});

test("texts in use stay cached and unused ones are evicted", () => {
  const { worked, call } = counted(40);
  call("once");
  for (let at = 0; at < 100; at += 1) {
    call("always");
    call(`text ${at}`);
  }
  expect(worked.filter((text) => text === "always")).toHaveLength(1);
  call("once");
  expect(worked.filter((text) => text === "once")).toHaveLength(2);
});

test("a generation holds as many characters as the limit says, before it is replaced", () => {
  const { worked, call } = counted(4);
  // Each text and its result have two characters. The third text exceeds the limit, and the fourth
  // begins the second generation.
  for (const text of ["a", "b", "c", "d", "e", "a"]) call(text);
  expect(worked).toEqual(["a", "b", "c", "d", "e"]);
});
