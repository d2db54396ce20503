import { expect, test } from "bun:test";
import { editDistance, nearest } from "./nearest.ts";

test.each([
  ["", "abc", 3],
  ["port", "port", 0],
  ["prot", "port", 1],
  ["api-key", "api_key", 1],
  ["kitten", "sitting", 3],
])("from %p to %p takes %i edits", (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
  expect(editDistance(to, from)).toBe(distance);
});

test.each([
  ["apikey", "api_key"],
  ["API_KEY", "api_key"],
  ["baseUrl", "base_url"],
  ["knid", "kind"],
  ["password", undefined],
])("for %p the suggestion is %p", (word, meant) => {
  expect(nearest(word, ["kind", "base_url", "api_key"])).toBe(meant);
});

test("without known words there is no suggestion", () => {
  expect(nearest("x", [])).toBeUndefined();
});
