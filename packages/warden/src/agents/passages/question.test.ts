import { expect, test } from "bun:test";
import { fitsQuestion, termsOfQuestion } from "./question.ts";

test("a question is searched by its words without function words, and long ones by their beginning", () => {
  expect(termsOfQuestion("What is the deposit of the flats?")).toEqual([
    { text: "depos", isPrefix: true },
    { text: "flats?", isPrefix: false },
  ]);
  expect(termsOfQuestion('the "rent of May" is 1,234')).toEqual([
    { text: "rent of May", isPrefix: false },
    { text: "1,234", isPrefix: false },
  ]);
  expect(termsOfQuestion("what is that")).toEqual([]);
});

test("a passage fits a question if it has at least half of its words", () => {
  const terms = termsOfQuestion("deposit of the flat in Bremen");
  expect(terms.length).toBe(3);
  expect(fitsQuestion("Deposits: a flat", terms)).toBe(true);
  expect(fitsQuestion("A flat, in Hamburg", terms)).toBe(false);
  expect(fitsQuestion("Flats", terms)).toBe(false);
  expect(fitsQuestion("1 234 euros in CAFÉ", termsOfQuestion("1,234 cafe"))).toBe(true);
});
