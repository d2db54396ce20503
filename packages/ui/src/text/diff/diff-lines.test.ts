/** Differences between two texts, line by line. */
import { expect, test } from "bun:test";
import { diffLines } from "./diff-lines.ts";

const SIGNS = { added: "+", removed: "-", same: " ", heading: "@" } as const;
const diff = (before: string, after: string): string =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => SIGNS[kind] + text)
    .join("");

test.each([
  ["", "", ""],
  ["abc", "abc", " a b c"],
  ["", "ab", "+a+b"],
  ["ab", "", "-a-b"],
  ["abc", "axc", " a-b+x c"],
  ["ac", "abc", " a+b c"],
  ["abc", "ac", " a-b c"],
  ["abc", "abcd", " a b c+d"],
  ["abc", "xabc", "+x a b c"],
  ["aa", "a", " a-a"],
  ["a", "aa", " a+a"],
  ["abcd", "acbd", " a-b c+b d"],
  ["ab", "xy", "-a-b+x+y"],
])("from %j to %j: %j", (before, after, expected) => {
  expect(diff(before, after)).toBe(expected);
});

/** All texts of up to four lines, each of which is one of two. */
const all = Array.from({ length: 31 }, (_, index) => [...(index + 1).toString(2).slice(1)]);

test("a difference contains both texts, and as many common lines as possible", () => {
  for (const before of all)
    for (const after of all) {
      const found = diffLines(before, after);
      const without = (kind: string) => found.filter((line) => line.kind !== kind).map(({ text }) => text);
      expect([without("added"), without("removed")]).toEqual([before, after]);
      expect(found.filter(({ kind }) => kind === "same")).toHaveLength(longestCommon(before, after));
    }
});

const longestCommon = (one: readonly string[], other: readonly string[]): number => {
  const [first, ...rest] = one;
  if (first === undefined) return 0;
  const at = other.indexOf(first);
  const skipped = longestCommon(rest, other);
  return at === -1 ? skipped : Math.max(skipped, 1 + longestCommon(rest, other.slice(at + 1)));
};

test("texts that are too long to compare are removed and added as a whole, beside their common ends", () => {
  const [before, after] = ["x", "y"].map((sign) => [
    "first",
    ...Array.from({ length: 1001 }, (_, index) => `${sign}${index}`),
    "common",
    ...Array.from({ length: 10 }, (_, index) => `${sign}${sign}${index}`),
    "last",
  ]);
  const found = diffLines(before ?? [], after ?? []);
  expect(found.filter(({ kind }) => kind === "same").map(({ text }) => text)).toEqual(["first", "last"]);
  expect(found.findIndex(({ kind }) => kind === "added")).toBe(1 + 1001 + 1 + 10);
});
