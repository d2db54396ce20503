/** How the lines of a chat message form blocks, and how a platform's format shows them. */
import { expect, test } from "bun:test";
import { type Format, isMarkedLine, readBlocks, readMarkdown, renderMarkdown } from "./markdown.ts";

/** Text → its blocks: kind (`>`: quoted), prefix, text and language. */
const EXAMPLES: readonly (readonly [text: string, blocks: readonly string[]])[] = [
  ["# a #", ["heading|# |a|"]],
  ["#a", ["paragraph||#a|"]],
  ["a\n# b\nc", ["paragraph||a|", "heading|# |b|", "paragraph||c|"]],
  ["> a\n> b\nc", [">paragraph||a\nb|", "paragraph||c|"]],
  ["> # a", [">heading|# |a|"]],
  ["- a\n- b", ["item|- |a|", "item|- |b|"]],
  ["- a\n  b", ["item|- |a\n  b|"]],
  ["1) a", ["item|1) |a|"]],
  ["1234567890. a", ["paragraph||1234567890. a|"]],
  ["```ts\na\n```", ["code|```|a|ts"]],
  ["```\na", ["code|```|a|"]],
  ["```\na\n````\nb", ["code|```|a|", "paragraph||b|"]],
  ["````\na\n```\n````", ["code|````|a\n```|"]],
  ["  ```\n  a\n b\n  ```", ["code|```|a\nb|"]],
  ["~~~\na\n```\n~~~", ["code|~~~|a\n```|"]],
  ["> ```\n> a\nb", [">code|```|a|", "paragraph||b|"]],
  ["---", ["rule||———|"]],
  ["- - -", ["rule||———|"]],
  ["**", ["paragraph||**|"]],
  ["a\n\nb", ["paragraph||a|", "blank|||", "paragraph||b|"]],
  ["    > a", ["paragraph||    > a|"]],
  ["a\n---", ["paragraph||a|", "rule||———|"]],
  ["```a`b\nc", ["paragraph||```a`b\nc|"]],
  ["> > a", [">paragraph||a|"]],
  ["#\ta", ["heading|#\t|a|"]],
  ["# ", ["paragraph||# |"]],
  ["```", ["code|```||"]],
];

test.each([...EXAMPLES])("%p has the blocks %p", (text, blocks) => {
  const found = readBlocks(text).map(({ kind, quoted, lead, text: inner, language }) =>
    [quoted ? `>${kind}` : kind, lead, inner, language].join("|"),
  );
  expect(found).toEqual([...blocks]);
  expect(
    readBlocks(text)
      .map(({ source }) => source)
      .join("\n"),
  ).toBe(text);
});

test("a line is marked if it alone is more than a paragraph", () => {
  const marked = ["> a", "```", "# a", "---", "- a", "1. a"];
  expect([...marked, "a", "", "#a", "-a"].filter(isMarkedLine)).toEqual(marked);
});

const tags: Format = {
  text: (text) => text.replaceAll("<", "&lt;"),
  mark: (kind, inner) => `<${kind}>${inner}</${kind}>`,
  code: (text) => `<code>${text}</code>`,
  link: (inner, url) => `<a ${url}>${inner}</a>`,
  block: (text, language) => `<pre ${language}>${text}</pre>`,
  quote: (inner) => `<quote>${inner}</quote>`,
};

test.each([
  ["**a __b__ _c_**", "<bold>a b <italic>c</italic></bold>"],
  ["# a **b** ##", "<bold>a b</bold>"],
  ["# C# ", "<bold>C#</bold>"],
  ["# #", "<bold>#</bold>"],
  ["- [*a*](https://x.example) \\* <", "• <a https://x.example><italic>a</italic></a> * &lt;"],
  ["`` ` `` and ` a` and `   `", "<code>`</code> and <code> a</code> and <code>   </code>"],
  ["```ts\na < b\n```", "<pre ts>a < b</pre>"],
  ["```\n```", ""],
  ["> a\n> - b\nc\n> d", "<quote>a\n• b</quote>\nc\n<quote>d</quote>"],
])("%p is shown as %p", (text, shown) => {
  expect(renderMarkdown(text, tags)).toBe(shown);
});

test("`readMarkdown` returns the text without marks", () => {
  expect(readMarkdown("## a `b`\n> **c** [d](https://x.example)")).toBe("a b\nc d");
});
