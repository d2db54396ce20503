import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readMarkdown } from "./markdown.ts";
import { splitMarkdown } from "./pieces.ts";

const LIMIT = 160;
const bare = (text: string): string => readMarkdown(text).replace(/\s+/g, "");

const word = fc.stringMatching(/^[a-z]{1,9}$/);
const spice = fc.constantFrom(
  ...[
    "*",
    "**",
    "***",
    "_",
    "__",
    "~~",
    "`",
    "``",
    "```",
    "\\",
    "\\*",
    "[",
    "](",
    "x](https://a.example/b)",
    "#",
    ">",
    "-",
  ],
  ...[
    "1.",
    "|",
    "<b>",
    "&amp;",
    "😀",
    "👩‍👩‍👧‍👦",
    "é",
    "!",
    "(",
    ")",
    "---",
    "~~~",
    "https://a.example/_b_c",
    "snake_case_name",
  ],
);
const glue = fc.constantFrom(" ", " ", " ", "", "\n", "\n\n", "\n- ", "\n> ", "\n## ", "\n```ts\n", "\n```\n");
const wild = fc
  .array(fc.tuple(fc.oneof(word, word, spice), glue), { maxLength: 200 })
  .map((parts) => parts.flat().join(""));

/** Well-formed Markdown: balanced, and long enough to be cut. */
const phrase = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(" "));
const styled = fc.oneof(
  phrase,
  phrase.map((text) => `**${text}**`),
  phrase.map((text) => `*${text}*`),
  phrase.map((text) => `__${text}__`),
  phrase.map((text) => `~~${text}~~`),
  phrase.map((text) => `\`${text}\``),
  fc.tuple(phrase, phrase, phrase).map(([a, b, c]) => `**${a} _${b}_ ${c}**`),
  fc.tuple(phrase, phrase, phrase).map(([a, b, c]) => `***${a}** ~~${b}~~ ${c}*`),
  fc.tuple(phrase, phrase, phrase).map(([a, b, c]) => `**${a} **${b}** ${c}**`),
  phrase.map((text) => `**${text.replaceAll(" ", " * ")}**`),
  phrase.map((text) => `_${text.replaceAll(" ", " ` ")}_`),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `[${words.join(" ")}](https://a.example/)`),
  word.map((text) => `\\*${text}\\_`),
);
const paragraph = fc.array(styled, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(" "));
const block = fc.oneof(
  paragraph,
  paragraph.map((text) => `## ${text}`),
  paragraph.map((text) => `> ${text}`),
  paragraph.map((text) => `- ${text}`),
  paragraph.map((text) => `12. ${text}`),
  fc.array(phrase, { maxLength: 12 }).map((lines) => `\`\`\`ts\n${lines.join("\n")}\n\`\`\``),
  fc.constant("---"),
);
const meant = fc
  .array(fc.tuple(block, fc.constantFrom("\n", "\n\n")), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.flat().join(""));

describe("a text cut into messages", () => {
  test("a text that fits is left unchanged", () => {
    expect(splitMarkdown("**Good** morning,\n\n- you", LIMIT)).toEqual(["**Good** morning,\n\n- you"]);
  });

  test.each(["", "  \n\t ", "\u200b\u2060", "```\n```", "> \n>", "\u0000\u0007"])("%j has nothing to send", (text) => {
    expect(splitMarkdown(text, LIMIT)).toEqual([]);
  });

  test("it is cut between paragraphs, and a heading stays with its text", () => {
    const [one, two] = ["word ".repeat(22).trim(), "more ".repeat(22).trim()];
    expect(splitMarkdown(`${one}\n\n## Title\n\n${two}`, LIMIT)).toEqual([one, `## Title\n\n${two}`]);
  });

  test("code is closed and opened again in its language", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `  const line = ${index};`);
    const pieces = splitMarkdown(`Look:\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\nDone.`, LIMIT);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces[0]).toStartWith("Look:\n```ts\n");
    for (const piece of pieces.slice(1)) expect(piece).toStartWith("```ts\n");
    for (const piece of pieces.slice(0, -1)) expect(piece).toEndWith(";\n```");
    expect(pieces.at(-1)).toEndWith("\n```\nDone.");
  });

  test("emphasis that a cut splits continues in the next message", () => {
    const pieces = splitMarkdown(`**a _${"word ".repeat(60)}end_ b**`, LIMIT);
    for (const piece of pieces.slice(1)) expect(piece).toStartWith("**_word");
    for (const piece of pieces.slice(0, -1)) expect(piece).toEndWith("word_**");
    expect(pieces.at(-1)).toEndWith("end_ b**");
  });

  test("quotes and headings continue in the next message; a list item continues without its bullet", () => {
    const long = "word ".repeat(60).trim();
    expect(splitMarkdown(`> ${long}`, LIMIT).every((piece) => piece.startsWith("> word"))).toBe(true);
    expect(splitMarkdown(`## ${long}`, LIMIT).every((piece) => piece.startsWith("## word"))).toBe(true);
    const [first, second] = splitMarkdown(`- ${long}`, LIMIT);
    expect(first).toStartWith("- word");
    expect(second).toStartWith("word");
  });

  test("a word from the middle of a line never starts a list at the start of a message", () => {
    const pieces = splitMarkdown(`a ${"- ".repeat(400)}b`, LIMIT);
    expect(pieces.map(bare).join("")).toBe(bare(`a ${"- ".repeat(400)}b`));
    expect(pieces.some((piece) => readMarkdown(piece).includes("•"))).toBe(false);
  });

  test.each([
    ["numbers", `a ${"1. ".repeat(400)}b`],
    ["marks of lists, headings and quotes", `a ${"12) # > ".repeat(100)}b`],
    ["dashes before a long word", `--- ${"x".repeat(400)}`],
    ["stars before a long word", `*** ${"x".repeat(400)}`],
  ])("%s are cut where they say what they said", (_what, text) => {
    expect(splitMarkdown(text, LIMIT).map(bare).join("")).toBe(bare(text));
  });

  test("a grapheme is not cut", () => {
    const family = "👩‍👩‍👧‍👦";
    const pieces = splitMarkdown(family.repeat(100), LIMIT);
    expect(pieces.join("")).toBe(family.repeat(100));
    for (const piece of pieces) expect(piece.length % family.length).toBe(0);
  });

  test("a grapheme longer than a piece is cut between its code points", () => {
    const marks = "e" + "\u{1D165}".repeat(400);
    const pieces = splitMarkdown(marks, LIMIT);
    expect(pieces.join("")).toBe(marks);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
    const odd = splitMarkdown("xy" + marks, LIMIT);
    for (const piece of odd) expect(piece.isWellFormed()).toBe(true);
  });

  test("half a surrogate pair is replaced, not sent", () => {
    expect(splitMarkdown("a\ud800b", LIMIT)).toEqual(["a\ufffdb"]);
  });

  test("100,000 characters of anything are cut in time", () => {
    for (const unit of [
      "a",
      "*a ",
      "`",
      "[",
      "> ",
      "\n",
      "- a\n",
      "**a* _b_ ",
      "😀",
      "    ",
      "```\n",
      "[a](",
      "~~a ",
      "\\",
    ]) {
      const pieces = splitMarkdown(unit.repeat(Math.floor(100_000 / unit.length)), 4096);
      expect(pieces.every((piece) => piece.length <= 4096)).toBe(true);
    }
  });

  test("any text gives pieces that fit, are visible, and are stable when cut again", () => {
    fc.assert(
      fc.property(fc.oneof(wild, fc.string({ unit: "binary", maxLength: 600 })), (text) => {
        const pieces = splitMarkdown(text, LIMIT);
        expect(splitMarkdown(text, LIMIT)).toEqual(pieces);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(LIMIT);
          expect(readMarkdown(piece).length).toBeLessThanOrEqual(piece.length);
          expect(readMarkdown(piece).trim()).not.toBe("");
          expect(piece.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("well-formed Markdown reads the same in pieces", () => {
    fc.assert(
      fc.property(meant, (text) => {
        expect(splitMarkdown(text, LIMIT).map(bare).join("")).toBe(bare(text));
      }),
      { numRuns: 200 },
    );
  });

  test("no letter of any text is lost", () => {
    fc.assert(
      fc.property(wild, (text) => {
        const letters = (some: string): string => some.replace(/[^a-z]/g, "");
        const written = letters(splitMarkdown(text, LIMIT).join(""));
        let at = 0;
        for (const letter of letters(readMarkdown(text))) {
          at = written.indexOf(letter, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200 },
    );
  });
});
