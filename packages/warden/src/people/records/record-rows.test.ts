import { expect, test } from "bun:test";
import { withArticle } from "./record-rows.ts";

test.each([
  ["agent", "an agent"],
  ["house", "a house"],
  ["room", "a room"],
] as const)("a message for people names one record of type %s as %s", (type, text) => {
  expect(withArticle(type)).toBe(text);
});
