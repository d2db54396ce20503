import { expect, test } from "bun:test";
import fc from "fast-check";
import { toTerms } from "./terms.ts";

test("words of one family are one term, in their order", () => {
  expect(toTerms("She painted a painting of the Painters' café.")).toEqual(["paint", "paint", "painter", "cafe"]);
});

test("a question of stop words alone keeps them", () => {
  expect(toTerms("Who are you?")).toEqual(["who", "ar", "you"]);
});

test("figures and codes are terms", () => {
  expect(toTerms("HX-40917-B on 7/5")).toEqual(["hx", "40917", "b", "7", "5"]);
});

test("any text has terms, none of them empty", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => toTerms(text).every((term) => term !== "")));
});
