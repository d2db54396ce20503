import { expect, test } from "bun:test";
import fc from "fast-check";
import { toSentences } from "./sentences.ts";

const LONG = "This sentence is long enough.";

test.each([
  ["", []],
  [" \n ", []],
  ["Yes.", ["Yes."]],
  [LONG, [LONG]],
  [`${LONG} ${LONG}`, [LONG, LONG]],
  [`${LONG}\n${LONG}`, [LONG, LONG]],
  [`${LONG}\n\n\n${LONG}`, [LONG, LONG]],
  [`Yes. ${LONG}`, [`Yes. ${LONG}`]],
  [`${LONG} Yes.`, [`${LONG} Yes.`]],
  [`${LONG} Yes. ${LONG}`, [LONG, `Yes. ${LONG}`]],
  ["Yes. No. Why?", ["Yes. No. Why?"]],
  ["nineteen characters twenty characters.", ["nineteen characters twenty characters."]],
  ["12345678901234567.. 123456789012345678..", ["12345678901234567.. 123456789012345678.."]],
  ["123456789012345678.. 123456789012345678..", ["123456789012345678..", "123456789012345678.."]],
  ["version 1.2.3 of the program is out", ["version 1.2.3 of the program is out"]],
  ["Das ist ein langer Satz！ Und noch ein langer Satz。", ["Das ist ein langer Satz！", "Und noch ein langer Satz。"]],
])("%j has the sentences %j", (text, sentences) => {
  expect(toSentences(text)).toEqual(sentences);
});

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

test("sentences contain every word in order, and of several none is short", () => {
  const part = fc.constantFrom("Yes.", "No!", LONG, "why", "\n", " ", "A bit longer, but not long?");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const text = parts.join(" ");
      const sentences = toSentences(text);
      expect(wordsOf(sentences.join(" "))).toEqual(wordsOf(text));
      if (sentences.length > 1) expect(Math.min(...sentences.map(({ length }) => length))).toBeGreaterThanOrEqual(20);
    }),
  );
});
