/** Recognising a text in another one by its words. */
import { describe, expect, test } from "bun:test";
import { createTextMatch, isShortFact, namesIn, numbersIn, containsShortFact } from "./distinctive-words.ts";

const PAGE = [
  "The locker in the hall opens with zanzibar-otter-4711 since last spring.",
  "In May the boiler was looked after by Quillfeather, who asked for 1,250 crowns.",
  "Opened on 2026-05-04 at 14:05.",
].join("\n");

describe("a text derives from a page", () => {
  const carries = createTextMatch([PAGE]);
  test.each([
    ["if it repeats one of its lines", "It says: the locker in the hall opens with a word."],
    ["if it repeats a passage across its lines", "… after by\nQuillfeather, who asked for money"],
    ["if it holds one of its numbers", "Noted: zanzibar-otter-4711."],
    ["if it holds a part of such a number", "It is 4711."],
    ["if it holds a number in another notation", "He took 1250."],
    ["if it holds one of its names", "That was Quillfeather."],
    ["if it is a piece of the page", "Last spring."],
  ])("%s", (_, text) => {
    expect(carries(text)).toBe(true);
  });

  test.each([
    ["if it says something else", "The bicycle in the yard is painted red."],
    ["if it shares common words", "It was in the hall, in May, after the spring."],
    ["if it shares a day and a time", "The day was 2026-05-04, and not before 14:05."],
    ["of one word", "Spring."],
    ["of none", "…"],
  ])("and does not derive from it %s", (_, text) => {
    expect(carries(text)).toBe(false);
  });

  test("a name mentioned elsewhere is no evidence, a number is", () => {
    const isKnown = (name: string): boolean => name === "quillfeather";
    expect([carries("That was Quillfeather.", isKnown), carries("It is 4711.", isKnown)]).toEqual([false, true]);
  });

  test("a short fact is recognised by its words", () => {
    const short = createTextMatch(["PIN is 4711", "Ana likes figs"]);
    expect(["Figs are what Ana likes.", "Ana likes pears.", "the 4711"].map((text) => short(text))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("in a script without spaces between words", () => {
    const page = createTextMatch(["玄関のロッカーは去年の春から合言葉で開きます。"]);
    expect([page("答え：ロッカーは去年の春から合言葉で開く"), page("自転車は赤く塗られています。")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("a short fact", () => {
  test("matches a line with all its words, in any order", () => {
    const says = containsShortFact(["PIN is 4711", "thanks"]);
    expect(["- the PIN of the door: 4711", "- the PIN of the door: 4712", "- 4711 litres", "thanks"].map(says)).toEqual(
      [...[true, false], ...[false, false]],
    );
  });

  test("of one common word is ignored", () => {
    expect(["thanks", "what now?", "yes please", "milk", "4711", "Ana likes figs"].map(isShortFact)).toEqual([
      ...[false, false, false, false],
      ...[true, true],
    ]);
  });

  test("is limited in length: a longer one is recognised by repetition", () => {
    expect(isShortFact("The bicycle in the yard is painted red.")).toBe(false);
    expect(
      containsShortFact(["The bicycle in the yard is painted red."])("The red bicycle is painted in the yard."),
    ).toBe(false);
  });
});

test("numbers have at least four characters; years, days and times do not count", () => {
  expect([...numbersIn("AB-123 in 2026, 2026-11-22 14:05, 12 of 1.2.3")].sort()).toEqual(["1.2.3", "ab-123"]);
});

test("names have a capital letter within a sentence", () => {
  expect([...namesIn("Boilers rust. Ask Quillfeather or, failing him, Marsh.\nMonday is free.")]).toEqual([
    "quillfeather",
    "marsh",
  ]);
});
