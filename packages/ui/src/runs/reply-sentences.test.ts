import { expect, test } from "bun:test";
import { MAX_SENTENCES, sentencesOf } from "./reply-sentences.ts";

const textsOf = (reply: string): readonly (readonly string[])[] =>
  sentencesOf(reply).map((block) => block.map(({ text }) => text));

test("each block and line of a reply is split into sentences without marks of Markdown", () => {
  expect(
    textsOf(
      "# Costs\n\nIt cost **142 €**. _Vidal_ did\nit &amp; left.\n\n- First item. More of it.\n- [ ] `second` item\n\n> Quoted.\n\n| Year | Cost |\n|---|---|\n| 2025 | 131 € |\n| 2026 | |\n\n```sh\nls\n\npwd\n```",
    ),
  ).toEqual([
    ["Costs"],
    ["It cost 142 €.", "Vidal did", "it & left."],
    ["First item.", "More of it."],
    ["second item"],
    ["Quoted."],
    ["2025 · 131 €"],
    ["2026"],
    ["ls"],
    ["pwd"],
  ]);
});

test("sentences end by the rules of their script", () => {
  expect(textsOf("价格是142欧元。维达尔来过。")).toEqual([["价格是142欧元。", "维达尔来过。"]]);
});

test("a sentence has the addresses of the links that are in it", () => {
  const [[first, second] = []] = sentencesOf(
    "See [the page](https://example.org/a). And [**b**](https://example.org/b).",
  );
  expect(first).toEqual({ text: "See the page.", links: ["https://example.org/a"] });
  expect(second?.links).toEqual(["https://example.org/b"]);
});

test("the number of sentences is limited, and a text that is too long is split by lines", () => {
  expect(textsOf("One. ".repeat(MAX_SENTENCES + 50)).flat()).toHaveLength(MAX_SENTENCES);
  const lines = textsOf(`**a** b.\n${"x".repeat(60_000)}`);
  expect(lines[0]).toEqual(["**a** b."]);
  expect(lines).toHaveLength(2);
});

test("an empty reply has no sentences", () => expect(sentencesOf(" \n")).toEqual([]));
