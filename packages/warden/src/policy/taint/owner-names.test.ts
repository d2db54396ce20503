/** Which values the owner's words name, and which are ordinary words, parts or amounts. */
import { expect, test } from "bun:test";
import { createOwnerNames, prepareText } from "./owner-names.ts";

/** Text, value, and whether the text names the value. */
const EXAMPLES: readonly (readonly [text: string, value: string | number, isNamed: boolean])[] = [
  ["pay Report-7", "Report-7", true],
  ["pay report", "report", false],
  ["pay 'report'", "report", true],
  ["pay “report”", "report", true],
  ["pay «report»", "report", true],
  ["pay „report“", "report", true],
  ["pay `report`", "report", true],
  ['pay "report"', "report", true],
  ["pay 'report", "report", false],
  ["ask @ben", "ben", true],
  ["ask @ben", "@ben", true],
  ["in #hall", "hall", true],
  ["ask ben", "@ben", false],
  ["ask Al Smith", "Al", false],
  ["ask Al Smith", "Smith", false],
  ["ask Al Smith", "Al Smith", true],
  ["1234 Elm Street", "Elm Street", false],
  ["1234 Elm Street", "1234 Elm Street", true],
  ["at 1234 Elm Street", "Elm", false],
  ["ask Ben now", "Ben", true],
  ["Ben is here", "Ben", true],
  ["The report", "The", false],
  ["Hello. The end", "The", false],
  // An opener begins a sentence also inside the value.
  ["she went home. The", "went home. The", false],
  ["she went to The", "went to The", true],
  ["Please ask", "Please", false],
  ["room 4711", "4711", true],
  ["$4711", "4711", false],
  ["pay $ 4711", "4711", false],
  ["4711 %", "4711", false],
  ["4711€", "4711", false],
  ["1. Ask", "1", false],
  ["1) Ask", "1", false],
  ["7 apples", "7", true],
  ["send 7", "7", true],
  ["send -7", "-7", true],
  ["send 7", 7, true],
  ["send 7", 7.5, false],
  ["x", "", false],
  ["a  b", " ", false],
  ["v1.2.3", "1.2", false],
  ["foo-bar", "bar", false],
  ["foo bar2", "bar2", true],
  ["a/b2", "b2", false],
  ["Ben's dog", "Ben", true],
  ["Ben’s dog", "Ben", true],
  ["Ben'sx dog", "Ben", false],
  ["ask Ben2--------", "Ben2", false],
  ["ask Ben2------- x", "Ben2", true],
  ["ask Ben2-------x", "Ben2", false],
  ["ask --------Ben2", "Ben2", false],
  ["ask BENs", "BEN", false],
  ["to DE89 3704 0044 0532 0130 00", "DE89370400440532013000", true],
  ["to DE89370400440532013000", "DE89 3704 0044 0532 0130 00", true],
  ["to DE89 3704 0044 0532 0130 00 now", "DE89 3704 0044 0532 0130 00", true],
  ["to DE89 3704 0044 0532", "DE89370400440532", true],
  ["to DE89 3704 0044 0532 0130", "DE89370400440532", false],
  ["to DE89 3704 0044 0532 then", "DE89370400440532", true],
  ["to DE89 3704 0044 0532 12345", "DE89370400440532", false],
  ["see https://x.example/a", "https://x.example/a", true],
  ["see https://x.example/a.", "https://x.example/a", true],
  ["see x.example/a", "https://x.example/a", true],
  ["see https://x.example/a", "x.example/a", true],
  ["see http://x.example/a", "https://x.example/a", false],
  ["see https://x.example/a", "https://x.example/b", false],
  ["mail a@x.example", "a@x.example", true],
  ["mail a@x.example", "b@x.example", false],
  ["mail a@x.example", "mailto:a@x.example", true],
  ["ask snake_case", "snake_case", true],
  ["at 12:30", "12:30", true],
  ["at 123", "123", true],
  ["ask iPhone", "iPhone", true],
  ["- Ben", "Ben", true],
  ["**Ben** said", "Ben", true],
  ["1) Ben", "Ben", true],
  ["note: Ben", "Ben", true],
  ["Morgen\nBen", "Ben", true],
  ["Café Rot", "Café Rot", true],
  ["the Black Cat sat", "Black Cat", true],
  ["the black cat sat", "black cat", false],
  ["ask Dr X", "X", false],
  ["ask X.", "X", false],
  ["write to Anna", "Anna", true],
  ["write to Anna Berg", "Anna", false],
  ["write to anna Berg", "Berg", true],
  ["buy 12 Eggs", "Eggs", false],
  ["in “Elm Street”", "Elm Street", true],
  ["in (Elm) now", "Elm", true],
  ["ask Ben Cooper-Smith", "Ben", false],
];

test.each([...EXAMPLES])("%p and the value %p: %p", (text, value, isNamed) => {
  expect(createOwnerNames([prepareText(text)]).names(value)).toBe(isNamed);
});

test("a value that is neither a text nor a finite number is never named", () => {
  const named = createOwnerNames([prepareText('"NaN", "Infinity", "null", "undefined" and "true"')]);
  for (const value of [Number.NaN, Infinity, null, undefined, true, {}, []]) expect(named.names(value)).toBe(false);
});

test("any of several texts may name a value, and none does without texts", () => {
  const named = createOwnerNames([prepareText("ask Ben"), prepareText("see https://x.example/a and y.example")]);
  expect(["Ben", "https://x.example/a", "Anna"].map((value) => named.names(value))).toEqual([true, true, false]);
  expect(named.linkTargets()).toEqual(["https://x.example/a", "//y.example/"]);
  expect(createOwnerNames([]).names("Ben")).toBe(false);
});

test.each([
  ["https://x.example/a", "https://x.example/a", true],
  ["https://x.example/a", "https://x.example/a).", true],
  ["https://x.example/a", "https://x.example/a...", true],
  ["https://x.example/a", "https://x.example/a....", false],
  ["https://x.example/a", "https://x.example/ab", false],
] as const)("%p wrote the link %p: %p", (text, link, isWritten) => {
  expect(createOwnerNames([prepareText(text)]).wroteLink(link)).toBe(isWritten);
});
