import { expect, test } from "bun:test";
import fc from "fast-check";
import { toTerms } from "./terms.ts";

test("words of one family become the same term, in order", () => {
  expect(toTerms("She painted a painting of the Painters' café.")).toEqual(["paint", "paint", "painter", "cafe"]);
});

test("a question of only stop words keeps them", () => {
  expect(toTerms("Who are you?")).toEqual(["who", "ar", "you"]);
});

test("numbers and codes are terms", () => {
  expect(toTerms("HX-40917-B on 7/5")).toEqual(["hx", "40917", "b", "7", "5"]);
});

test("no text has an empty term", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => toTerms(text).every((term) => term !== "")));
});
