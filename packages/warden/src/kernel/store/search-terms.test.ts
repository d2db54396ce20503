/** The terms of a typed query. */
import { expect, test } from "bun:test";
import { readSearchTerms } from "./search-terms.ts";

/** Typed text → its terms; `…` marks a term that may be the beginning of a word. */
test.each<[string, readonly string[]]>([
  ["boi", ["boi…"]],
  ["bo", ["bo"]],
  ["boiler ", ["boiler"]],
  ["boiler room", ["boiler", "room…"]],
  ['"boiler room"', ["boiler room"]],
  ['boiler "room', ["boiler", "room…"]],
  ['"boiler room" keys', ["boiler room", "keys…"]],
  ["boiler !", ["boiler"]],
  ["", []],
])("%p", (typed, terms) => {
  expect(readSearchTerms(typed).map(({ text, isPrefix }) => `${text}${isPrefix ? "…" : ""}`)).toEqual([...terms]);
});

test("a query has sixteen terms at most", () => {
  const typed = Array.from({ length: 20 }, (_, index) => `word${index}`).join(" ");
  expect(readSearchTerms(typed).at(-1)).toEqual({ text: "word15", isPrefix: true });
});
