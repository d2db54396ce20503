import { describe, expect, test } from "bun:test";
import { lexBlocks } from "./lex.ts";
import { createGrowingText, completeEnd } from "./stream.ts";

const sample = `# Plan

Here is **what I found**, with \`code\` and [the docs](https://example.org/a).
Second line:
- one
- two
  - deeper **bold**

  a paragraph of an item
- three

1. first

2. second

> quoted
lazy

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const a = "**";

---
\`\`\`

    indented

<div>
raw
</div>

Title
=====

This[^1].

[^1]: A footnote
of two lines.

End [r].

[r]: https://example.org/r
`;

describe("incremental parsing", () => {
  test("the final result equals parsing the complete text", () => {
    const growing = createGrowingText();
    for (let end = 1; end <= sample.length; end += 1) growing.read(sample.slice(0, end));
    expect(growing.read(`${sample}\nDone.`)).toEqual(lexBlocks(`${sample}\nDone.`));
  });

  test("complete blocks of any prefix equal those of the whole text, and keep their identity", () => {
    const growing = createGrowingText();
    const raws = lexBlocks(sample).map(({ raw }) => raw);
    const early = new Map<number, unknown>();
    for (let end = 1; end <= sample.length; end += 1) {
      const blocks = growing.read(sample.slice(0, end));
      const solid = blocks.flatMap(({ type }, index) => (type === "space" ? [] : [index]));
      blocks.slice(0, solid.at(-2) ?? 0).forEach((block, index) => {
        expect(block.raw).toBe(raws[index] ?? "");
        expect(early.get(index) ?? block).toBe(block);
        early.set(index, block);
      });
    }
    expect(early.size).toBeGreaterThan(15);
  });

  test("a different text is parsed from the start", () => {
    const growing = createGrowingText();
    growing.read("# a\n\nb\n\nc\n\nd");
    expect(growing.read("# x\n\ny")).toEqual(lexBlocks("# x\n\ny"));
  });

  test("CRLF counts as one line break", () => {
    const growing = createGrowingText();
    growing.read("a\r\n\r\nb\r\n\r\nc\r\n\r\nd");
    expect(growing.read("a\r\n\r\nb\r\n\r\nc\r\n\r\nd\r\n\r\ne")).toEqual(lexBlocks("a\n\nb\n\nc\n\nd\n\ne"));
  });

  test("a link definition applies to the links after it", () => {
    const growing = createGrowingText();
    growing.read("[r]: https://example.org/\n\na\n\nb\n\nc");
    expect(JSON.stringify(growing.read("[r]: https://example.org/\n\na\n\nb\n\nc [r]"))).toContain('"type":"link"');
  });
});

describe("the end of an incomplete text", () => {
  test.each([
    ["some **bold", "some **bold**"],
    ["some **bold words ", "some **bold words**"],
    ["some **bold*", "some **bold**"],
    ["some **", "some "],
    ["some **bold** and", "some **bold** and"],
    ["see `code", "see `code`"],
    ["see `", "see "],
    ["see [the docs](https://exam", "see the docs"],
    ["see ![a cat](https://exam", "see a cat"],
    ["see [the docs](https://example.org)", "see [the docs](https://example.org)"],
    ["Items:\n-", "Items:"],
    ["Items:\n  * ", "Items:"],
    ["Items:\n- a", "Items:\n- a"],
    ["a\n\nb\n#", "a\n\nb"],
  ])("%j is completed to %j", (text, mended) => {
    expect(completeEnd(text)).toBe(mended);
  });

  test.each(["```\nf(**a", "~~~\n[a](b", "- a\n  ```\n  x\n---", "> ```\n> `"])(
    "%j is code, and stays unchanged",
    (text) => {
      expect(completeEnd(text)).toBe(text);
    },
  );
});
