/** Which parts of a paragraph are emphasis, code, links and escapes. */
import { expect, test } from "bun:test";
import { readSpans } from "./markdown-spans.ts";

/** Text → its spans: the kind and the source of each; of a link also the address and the label. */
const EXAMPLES: readonly (readonly [text: string, spans: readonly string[]])[] = [
  ["**a** b", ["bold **a**"]],
  ["a*b*c", ["italic *b*"]],
  ["*a _b_*", ["italic *a _b_*", "italic _b_"]],
  ["~~a~~", ["strike ~~a~~"]],
  ["~a~", []],
  ["~~~a~~~", []],
  ["****a****", []],
  ["***a***", ["bold ***a***", "italic *a*"]],
  ["***a** b*", ["italic ***a** b*", "bold **a**"]],
  ["***a* b**", ["bold ***a* b**", "italic *a*"]],
  ["**a *b***", ["bold **a *b***", "italic *b*"]],
  ["snake_case_name", []],
  ["_a_b", []],
  ["a _b_ c", ["italic _b_"]],
  ["__a__", ["bold __a__"]],
  ["* a *", []],
  ["** a**", []],
  ["**a **", []],
  ["**a", []],
  ["a**", []],
  ["*a **b* c**", ["italic *a **b*"]],
  ["**a **b** c**", ["bold **b**"]],
  ["**a **b** c**x**", ["bold **b**", "bold **x**"]],
  ["*a*b*", ["italic *a*"]],
  ["**note:**then", ["bold **note:**"]],
  ["`a`", ["code `a`"]],
  ["``a`b``", ["code ``a`b``"]],
  ["`a``b`", ["code `a``b`"]],
  ["`a", []],
  ["`````````a`````````", []],
  ["````````a````````", ["code ````````a````````"]],
  ["\\*a\\*", ["escape \\*", "escape \\*"]],
  ["\\a", []],
  ["a\\", []],
  ["*a\\*", ["escape \\*"]],
  ["[a](https://x.example)", ["link [a](https://x.example) -> https://x.example (a)"]],
  ["![a](https://x.example)", ["link ![a](https://x.example) -> https://x.example (a)"]],
  ["[a](javascript:1)", []],
  ["[ ](https://x.example)", []],
  ["[*a*](https://x.example)", ["link [*a*](https://x.example) -> https://x.example (*a*)", "italic *a*"]],
  ["[a](<https://x.example/b c>)", []],
  ['[a](https://x.example "t")', ['link [a](https://x.example "t") -> https://x.example (a)']],
  ["[a](https://x.example/(b))", ["link [a](https://x.example/(b)) -> https://x.example/(b) (a)"]],
  ["[a [b](https://x.example)", ["link [b](https://x.example) -> https://x.example (b)"]],
  ["<https://x.example>", ["link <https://x.example> -> https://x.example (https://x.example)"]],
  ["<mailto:a@b.example>", ["link <mailto:a@b.example> -> mailto:a@b.example (mailto:a@b.example)"]],
  ["<b>", []],
  ["https://x.example/_a_.", []],
  ["http", []],
  ["see https://x.example, ok", []],
  ["*https://x.example*", ["italic *https://x.example*"]],
  [
    "[see https://y.example](https://x.example)",
    ["link [see https://y.example](https://x.example) -> https://x.example (see https://y.example)"],
  ],
  ["**a `*` b**", ["bold **a `*` b**", "code `*`"]],
  ["!a", []],
  ["a!", []],
  ["*", []],
  ["_a*", []],
  ["*a**b*", ["italic *a**b*"]],
];

test.each([...EXAMPLES])("%p has the spans %p", (text, spans) => {
  const found = readSpans(text).map((span) => {
    const shown = `${span.kind} ${text.slice(span.start, span.end)}`;
    return span.kind === "link" ? `${shown} -> ${span.url} (${text.slice(span.label.start, span.label.end)})` : shown;
  });
  expect(found).toEqual([...spans]);
});

test("a part of a text has only spans that end in it", () => {
  expect(readSpans("*a* `b` [c](https://x.example)", 1, 12)).toEqual([{ kind: "code", token: "`", start: 4, end: 7 }]);
  expect(readSpans("a `b`", 0, 4)).toEqual([]);
  expect(readSpans("<https://x.example>", 0, 18)).toEqual([]);
  expect(readSpans("a\\*", 0, 2)).toEqual([]);
});
