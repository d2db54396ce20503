import { expect, test } from "bun:test";
import { createSourceFinder, limits } from "./likely-sources.ts";

const notes = "# Boiler\n\n2024: 124 €, Moreau\n2025: 131 €, Vidal\n2026: 142 €, Vidal\n";
const list = "garden/\nphotos/\nhouse.md";
const find = (sentence: string, texts: Readonly<Record<string, string>> = { notes, list }) =>
  createSourceFinder(Object.entries(texts).map(([key, text]) => ({ key, text }))).find(sentence);
const keysOf = (...asked: Parameters<typeof find>): readonly string[] => find(...asked).map(({ key }) => key);

test("a text with the numbers and names of the sentence is a likely source, and its excerpt marks them", () => {
  const [source, ...others] = find("In 2026 Vidal charged 142 €.");
  expect(others).toEqual([]);
  expect(source?.key).toBe("notes");
  const { text, marks } = source?.excerpt ?? { text: "", marks: [] };
  expect(marks.map(([from, to]) => text.slice(from, to))).toContain("142");
  expect(text).toContain("2026: 142 €, Vidal");
});

test("a sentence without common facts has no source", () => {
  expect(keysOf("I would book the next service in March.")).toEqual([]);
  expect(keysOf("You have 2 photos of it.")).toEqual([]);
  expect(keysOf("In 2024 nothing else happened in the northern district.")).toEqual([]);
  expect(keysOf("")).toEqual([]);
});

test("facts that are far apart in a text are no source", () => {
  const sentence = "We paid Vidal for all the Spruce boards.";
  expect(keysOf(sentence, { near: `Vidal ${"and so on. ".repeat(4)} Spruce boards` })).toEqual(["near"]);
  expect(keysOf(sentence, { far: `Vidal ${"and so on. ".repeat(40)} Spruce boards` })).toEqual([]);
});

test("the source that shares the most comes first, and much weaker ones are left out", () => {
  const texts = { weak: "The boiler cost 142 €.", best: "In 2026, Vidal serviced the boiler for 142 €." };
  expect(keysOf("Vidal serviced the boiler in 2026 for 142 €.", texts)).toEqual(["best"]);
  expect(keysOf("The boiler cost 142 €.", { one: texts.weak, other: texts.weak })).toEqual(["one", "other"]);
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`copy ${index}`, texts.weak]));
  expect(keysOf("The boiler cost 142 €.", many)).toHaveLength(limits.sources);
});

test.each([
  ["Die Wartung des Heizkessels kostete 1.234,50 Euro.", "Heizkessel, Wartung: 1234.50 EUR"],
  ["L'entretien de la chaudière a coûté 142,00 euros.", "Entretien chaudière 142 €"],
  ["Обслуживание котла стоило 142 евро.", "обслуживания котла: 142"],
  ["锅炉的维修价格是142欧元。", "维修价格:142"],
  ["ボイラーの点検は142ユーロでした。", "点検 ボイラー 142"],
  ["كلفت صيانة الغلاية ١٤٢ يورو.", "صيانة الغلاية 142"],
])("languages: %s", (sentence, text) => expect(keysOf(sentence, { text, list })).toEqual(["text"]));

test("long texts are compared up to a limit, and the finder says so", () => {
  const filler = "lorem ipsum ".repeat(limits.textLength / 12);
  const finder = createSourceFinder([
    { key: "long", text: `${filler}${notes}` },
    { key: "after", text: notes },
  ]);
  expect(finder.isCut).toBe(true);
  expect(finder.find("In 2026 Vidal charged 142 €.")).toEqual([]);
  expect(createSourceFinder([{ key: "short", text: notes }]).isCut).toBe(false);
  expect(find(`${"lorem ".repeat(limits.sentenceLength)} Vidal 142 2026`)).toEqual([]);
});

test("an excerpt of a long line is short, and shows that it is cut", () => {
  const text = `${"before ".repeat(100)}Vidal charged 142 € ${"after ".repeat(100)}`;
  const [source] = find("Vidal charged 142 €.", { text });
  expect(source?.excerpt.text).toStartWith("…before");
  expect(source?.excerpt.text).toEndWith("after…");
  expect(source?.excerpt.text.length).toBeLessThanOrEqual(limits.excerpt + 2);
  for (const [from, to] of source?.excerpt.marks ?? [])
    expect(["Vidal", "charged", "142", "€"]).toContain(source?.excerpt.text.slice(from, to) ?? "");
});
