/** Suggestions for mistyped names. */
import { expect, test } from "bun:test";
import { nearest } from "./nearest.ts";

/** Name, known names, suggestion. */
const EXAMPLES: readonly (readonly [name: string, known: readonly string[], suggestion: string | null])[] = [
  ["lst", ["list", "last"], "list"],
  ["lis", ["list", "lists"], "list"],
  ["l", ["list"], null],
  ["mian", ["main"], "main"],
  ["abcdef", ["xyz"], null],
  ["abc", ["abd"], "abd"],
  ["ab", ["ba"], null],
  ["ab", ["ac"], null],
  ["room", [], null],
  ["staus", ["status", "start"], "status"],
  ["rooom", ["room"], "room"],
  ["abcd", ["abdc", "abcx"], "abdc"],
  ["ba", ["abc"], null],
  ["abcxyz", ["abc"], null],
  ["abczy", ["abcyz"], "abcyz"],
  ["acb", ["abc"], "abc"],
  ["xab", ["xba"], "xba"],
];

test.each([...EXAMPLES])("for %p of %p, %p is suggested", (name, known, suggestion) => {
  expect(nearest(name, known) ?? null).toBe(suggestion);
});
