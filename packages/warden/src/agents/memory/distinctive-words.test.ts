/** By which words a text is known again in another one, and by which it is not. */
import { describe, expect, test } from "bun:test";
import { carriesAnyOf, isShortFact, namesIn, numbersIn, saysShortly } from "./distinctive-words.ts";

const PAGE = [
  "The locker in the hall opens with zanzibar-otter-4711 since last spring.",
  "In May the boiler was looked after by Quillfeather, who asked for 1,250 crowns.",
  "Opened on 2026-05-04 at 14:05.",
].join("\n");

describe("a text carries something of a page", () => {
  const carries = carriesAnyOf([PAGE]);
  test.each([
    ["that it repeats a line of", "It says: the locker in the hall opens with a word."],
    ["with a stretch of it across its lines", "… after by\nQuillfeather, who asked for money"],
    ["with a number of it", "Noted: zanzibar-otter-4711."],
    ["with a part of such a number", "It is 4711."],
    ["with a number that is written otherwise", "He took 1250."],
    ["with a name of it", "That was Quillfeather."],
    ["of which it is no more than a piece", "Last spring."],
  ])("%s", (_, text) => {
    expect(carries(text)).toBe(true);
  });

  test.each([
    ["that says something else", "The bicycle in the yard is painted red."],
    ["that shares words which stand in many texts", "It was in the hall, in May, after the spring."],
    ["that names a day and a time of it", "The day was 2026-05-04, and not before 14:05."],
    ["of one word", "Spring."],
    ["of none", "…"],
  ])("and not one %s", (_, text) => {
    expect(carries(text)).toBe(false);
  });

  test("a name that was said beside it says nothing, a number does", () => {
    const isKnown = (name: string): boolean => name === "quillfeather";
    expect([carries("That was Quillfeather.", isKnown), carries("It is 4711.", isKnown)]).toEqual([false, true]);
  });

  test("of which no more than a short fact is held is known by its words", () => {
    const short = carriesAnyOf(["PIN is 4711", "Ana likes figs"]);
    expect(["Figs are what Ana likes.", "Ana likes pears.", "the 4711"].map((text) => short(text))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("in a script without spaces between words", () => {
    const page = carriesAnyOf(["玄関のロッカーは去年の春から合言葉で開きます。"]);
    expect([page("答え：ロッカーは去年の春から合言葉で開く"), page("自転車は赤く塗られています。")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("a short fact", () => {
  test("is said by a line with all its words, whatever stands between them", () => {
    const says = saysShortly(["PIN is 4711", "thanks"]);
    expect(["- the PIN of the door: 4711", "- the PIN of the door: 4712", "- 4711 litres", "thanks"].map(says)).toEqual(
      [...[true, false], ...[false, false]],
    );
  });

  test("of one common word is none, for anybody may say it", () => {
    expect(["thanks", "what now?", "yes please", "milk", "4711", "Ana likes figs"].map(isShortFact)).toEqual([
      ...[false, false, false, false],
      ...[true, true],
    ]);
  });

  test("is short: a longer one is known by being repeated", () => {
    expect(isShortFact("The bicycle in the yard is painted red.")).toBe(false);
    expect(saysShortly(["The bicycle in the yard is painted red."])("The red bicycle is painted in the yard.")).toBe(
      false,
    );
  });
});

test("numbers have four signs at least, and years, days and times are none", () => {
  expect([...numbersIn("AB-123 in 2026, 2026-11-22 14:05, 12 of 1.2.3")].sort()).toEqual(["1.2.3", "ab-123"]);
});

test("names have a capital where no sentence begins", () => {
  expect([...namesIn("Boilers rust. Ask Quillfeather or, failing him, Marsh.\nMonday is free.")]).toEqual([
    "quillfeather",
    "marsh",
  ]);
});
