import { expect, test } from "bun:test";
import { normalizeNumber, termsOf } from "./terms.ts";

test.each([
  ["142", "142"],
  ["142,00", "142"],
  ["1.234,50", "1234.5"],
  ["1,234.50", "1234.5"],
  ["1'234", "1234"],
  ["1.234.567", "1234567"],
  ["0.125", "0.125"],
  ["007", "7"],
  ["12.3.2026", "12.3.2026"],
  ["١٤٢", "142"],
  ["१४२", "142"],
  ["１４２", "142"],
])("the number %s is compared as %s", (text, value) => expect(normalizeNumber(text)).toBe(value));

const keysOf = (text: string): readonly string[] => termsOf(text).map(({ key }) => key);

test("terms are numbers and words, without short words", () => {
  expect(keysOf("The boiler of Ana costs 142 € in v2.")).toEqual(["boiler", "ana", "costs", "#142", "€", "#2", "v2"]);
});

test("words are compared without their case and their ending", () => {
  expect(keysOf("Servicing")).toEqual(keysOf("service").map((key) => key.slice(0, 6)));
  expect(keysOf("HEIZKESSELS")).toEqual(keysOf("Heizkessel"));
});

test("a place is the term in the text, in any script", () => {
  const text = "Der Kessel: 142 €\n燃气锅炉的价格是一百四十二欧元";
  for (const { from, to, key } of termsOf(text)) {
    const word = text.slice(from, to);
    expect(key).toBe(key.startsWith("#") ? `#${word}` : word.toLowerCase().slice(0, 6));
  }
  expect(keysOf(text)).toContain("价格");
});

test("long numbers and names say more than short words", () => {
  const weights = new Map(
    termsOf("We paid Vidal 142 in 2026, 7 times, 42 more").map(({ key, weight }) => [key, weight]),
  );
  const [number = 0, name = 0, year = 0, two = 0, word = 0, one = 0] = [
    "#142",
    "vidal",
    "#2026",
    "#42",
    "paid",
    "#7",
  ].map((key) => weights.get(key));
  expect(number).toBeGreaterThan(year);
  expect(year).toBeGreaterThanOrEqual(two);
  expect(name).toBeGreaterThan(word);
  expect(word).toBeGreaterThan(one);
});
