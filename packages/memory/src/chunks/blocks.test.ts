/** The blocks of a Markdown file that chunks keep together. */
import { expect, test } from "bun:test";
import { isItem, toBlocks } from "./blocks.ts";

/** Text → kind and lines of each block; of a heading also its level and title. */
const EXAMPLES: readonly (readonly [text: string, blocks: readonly string[]])[] = [
  ["# A\ntext", ["heading 0-0 1 A", "text 1-1"]],
  ["####### A", ["text 0-0"]],
  ["#", ["heading 0-0 1 "]],
  ["# A ##", ["heading 0-0 1 A"]],
  ["#A", ["text 0-0"]],
  ["    # A", ["text 0-0"]],
  ["A\n===", ["heading 0-1 1 A"]],
  ["A\nB\n---", ["heading 0-2 2 A B"]],
  ["A\n# B", ["text 0-0", "heading 1-1 1 B"]],
  ["A\n```\nx\n```", ["text 0-0", "fence 1-3"]],
  ["```\nx", ["fence 0-1"]],
  ["```\n# x\n```\ny", ["fence 0-2", "text 3-3"]],
  ["````\n```\n````", ["fence 0-2"]],
  ["```\nx\n~~~\n```", ["fence 0-3"]],
  ["```\nx\n``` y\n```", ["fence 0-3"]],
  ["```a`b", ["text 0-0"]],
  ["~~~a`b\nx\n~~~", ["fence 0-2"]],
  ["| a |\n| b |\nc", ["table 0-1", "text 2-2"]],
  ["  | a |\n | b |", ["table 0-1"]],
  ["- a\n- b", ["list 0-1"]],
  ["- a\nlazy\n- b", ["list 0-2"]],
  ["- a\n\n- b", ["list 0-2"]],
  ["- a\n\nb", ["list 0-0", "text 2-2"]],
  ["- a\n\n  b", ["list 0-2"]],
  ["- a\n\n\n- b", ["list 0-0", "list 3-3"]],
  ["- a\n# H", ["list 0-0", "heading 1-1 1 H"]],
  ["- a\n```\nx\n```", ["list 0-0", "fence 1-3"]],
  ["- a\n  ```\n  x\n  ```", ["list 0-3"]],
  ["1. a\n2) b", ["list 0-1"]],
  ["1234567890. a", ["text 0-0"]],
  ["a\n- b", ["text 0-0", "list 1-1"]],
  ["---\na: b\n---\nc", ["front-matter 0-2", "text 3-3"]],
  ["---\na: b\n...\nc", ["front-matter 0-2", "text 3-3"]],
  ["---\nno key here\n---", ["heading 0-2 2 --- no key here"]],
  ["---\n\n# c\n- x\n  y\n---\nz", ["front-matter 0-5", "text 6-6"]],
  ["---\na: b", ["text 0-1"]],
  ["---", ["text 0-0"]],
  ["--- x\na: b\n---", ["heading 0-2 2 --- x a: b"]],
  ["", []],
  ["\n\na\n\nb\n", ["text 2-2", "text 4-4"]],
  ["-", ["list 0-0"]],
  ["*", ["list 0-0"]],
  ["+ a", ["list 0-0"]],
  ["- a\n\n\tb", ["list 0-2"]],
  ["- a\n\n b", ["list 0-0", "text 2-2"]],
];

test.each([...EXAMPLES])("%p has the blocks %p", (text, blocks) => {
  const found = toBlocks(text.split("\n")).map(
    ({ kind, first, last, level, title }) =>
      `${kind} ${first}-${last}${level === undefined ? "" : ` ${level} ${title}`}`,
  );
  expect(found).toEqual([...blocks]);
});

test("a line of more than a thousand characters is no heading", () => {
  expect(toBlocks([`# ${"x".repeat(998)}`])[0]?.kind).toBe("heading");
  expect(toBlocks([`# ${"x".repeat(999)}`])[0]?.kind).toBe("text");
});

test("only items of the outermost list start a part of it", () => {
  const lines = ["- a", " - a", "  - a", "\t- a", "1. a", "a", ""];
  expect(lines.filter(isItem)).toEqual(["- a", " - a", "1. a"]);
});
