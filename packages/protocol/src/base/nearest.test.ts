/** Suggestions for mistyped names. */
import { expect, test } from "bun:test";
import { nearest, suggest } from "./nearest.ts";

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
  ["apikey", ["kind", "base_url", "api_key"], "api_key"],
  ["API_KEY", ["kind", "base_url", "api_key"], "api_key"],
  ["baseUrl", ["kind", "base_url", "api_key"], "base_url"],
  ["password", ["kind", "base_url", "api_key"], null],
];

test.each([...EXAMPLES])("for %p of %p, %p is suggested", (name, known, suggestion) => {
  expect(nearest(name, known) ?? null).toBe(suggestion);
});

test("a hint names the closest name, or all", () => {
  expect(suggest("prot", ["port", "host"])).toBe('Did you mean "port"?');
  expect(suggest("x", ["port", "host"])).toBe("Available: port, host.");
});
