import { expect, test } from "bun:test";
import { type RecalledText, selectHits } from "./memory-hits.ts";

const fact = (text: string, parts: RecalledText["parts"] = {}): RecalledText => ({ headings: [], text, parts });
const boiler = fact("The boiler is from 2019.", { words: 3, meaning: 2 });
const soul = fact("You are good company.", { words: -0.2, meaning: 1.6 });
const textsFor = (query: string, ...found: readonly RecalledText[]): readonly string[] =>
  selectHits(query, found).map(({ text }) => text);

test("a word finds the facts that contain it, in other forms too, and nothing else", () => {
  for (const query of ["boiler", "Boilers", "boil", "BÓILER"])
    expect([query, textsFor(query, boiler, soul)]).toEqual([query, [boiler.text]]);
  expect(textsFor("zebra", boiler, soul)).toEqual([]);
  // A short word does not match longer ones.
  expect(textsFor("you", soul, fact("your keys"))).toEqual([soul.text]);
});

test("headings count as part of the fact, and the order stays", () => {
  const other = { ...fact("Serviced in May."), headings: ["Boiler"] };
  expect(textsFor("boiler", other, soul, boiler)).toEqual([other.text, boiler.text]);
});

test("a question finds facts by its words and the best ones by meaning", () => {
  const near = [1, 2, 3, 4].map((number) => fact(`near ${number}`, { meaning: 2 }));
  const far = fact("far", { meaning: 0.4 });
  expect(textsFor("who repairs the heating", far, boiler, ...near)).toEqual([
    boiler.text,
    ...near.slice(0, 3).map(({ text }) => text),
  ]);
});
