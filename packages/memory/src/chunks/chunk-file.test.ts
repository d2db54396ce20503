import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { Chunk } from "./chunk.ts";
import { chunkFile } from "./chunk-file.ts";
import { measure } from "./tokens.ts";

const hash = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

const chunksOf = (text: string, path = "notes/house.md"): readonly Chunk[] => {
  const chunking = chunkFile({ path, text }, hash);
  if (chunking.kind === "refused") throw new Error(chunking.note);
  return chunking.chunks;
};

const sentence = "The boiler was repaired by the man from the village. ";

describe("a file", () => {
  test("is split at its headings, and a chunk lists all headings above it", () => {
    const chunks = chunksOf("# House\n\nold\n\n## Boiler\n\nbroken\n\n### Parts\n\na valve\n\n## Roof\n\nfine\n");
    expect(chunks.map(({ headings, text }) => [headings, text])).toEqual([
      [["House"], "# House\n\nold"],
      [["House", "Boiler"], "## Boiler\n\nbroken"],
      [["House", "Boiler", "Parts"], "### Parts\n\na valve"],
      [["House", "Roof"], "## Roof\n\nfine"],
    ]);
    expect(chunks.map(({ lines }) => lines)).toEqual([
      [1, 3],
      [5, 7],
      [9, 11],
      [13, 15],
    ]);
  });

  test("joins a heading without text to the section below it", () => {
    expect(chunksOf("# House\n\n## Boiler\n\nbroken\n").map(({ text }) => text)).toEqual([
      "# House\n\n## Boiler\n\nbroken",
    ]);
  });

  test("may mark headings by underlines", () => {
    expect(chunksOf("House\n=====\n\nold\n\nBoiler\n---\nbroken").map(({ headings }) => headings)).toEqual([
      ["House"],
      ["House", "Boiler"],
    ]);
  });

  test("may use any line ending and begin with a byte order mark", () => {
    const plain = chunksOf("# House\n\nold\n");
    expect(chunksOf("\uFEFF# House\r\n\r\nold\r\n")).toEqual(plain);
    expect(chunksOf("# House\r\rold\r")).toEqual(plain);
  });

  test("has no chunks if all its lines are blank", () => {
    expect(chunksOf("\n  \n\t\n")).toEqual([]);
    expect(chunksOf("")).toEqual([]);
  });

  test("is refused by name if it is not text", () => {
    expect(chunkFile({ path: "a.png", text: "\x89PNG\0\0" }, hash)).toEqual({
      kind: "refused",
      note: "a.png is not text: only text files are indexed.",
    });
    expect(chunkFile({ path: "a.bin", text: "\u0001\u0002\uFFFDabc".repeat(9) }, hash).kind).toBe("refused");
  });

  test("is refused with instructions if it is too long", () => {
    const chunking = chunkFile({ path: "log.md", text: "x".repeat(64 * 1024 * 1024 + 1) }, hash);
    expect(chunking).toEqual({ kind: "refused", note: expect.stringContaining("Split it") });
  });

  test("of 50 MB is chunked to its end", () => {
    const text = `${"word ".repeat(20)}\n`.repeat(500_000);
    const chunks = chunksOf(text);
    expect(chunks.at(-1)?.lines[1]).toBe(500_000);
  });

  test("with a line of a megabyte is split within the line", () => {
    for (const line of [
      `# ${" ".repeat(1_000_000)}x`,
      "x".repeat(1_000_000),
      "```".repeat(300_000),
      "=".repeat(1_000_000),
    ]) {
      expect(chunksOf(line).every(isSized)).toBe(true);
    }
  });

  test("with ten thousand headings has ten thousand chunks", () => {
    const text = Array.from({ length: 10_000 }, (_, at) => `## Day ${at}\n\nrain\n`).join("\n");
    const chunks = chunksOf(text);
    expect(chunks).toHaveLength(10_000);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(10_000);
  });
});

describe("blocks that belong together", () => {
  const long = (head: string, line: string, count: number): string =>
    `${sentence.repeat(28)}\n\n${head}${Array.from({ length: count }, (_, at) => `${line} ${at}`).join("\n")}`;

  test.each([
    ["a list", long("", "- bread", 20)],
    ["a table", long("| a | b |\n|---|---|\n", "| x | y |", 12)],
    ["fenced code, whose comments are not headings", `${long("```sh\n", "# echo", 20)}\n\`\`\``],
  ])("%s stays in one chunk if it fits", (_what, text) => {
    const chunks = chunksOf(text);
    expect(chunks).toHaveLength(2);
    expect(chunks[1]?.text).toBe(text.slice(text.indexOf("\n\n") + 2));
  });

  test("a list that is too long is split between its items", () => {
    const items = Array.from({ length: 40 }, (_, at) => `- ${at} ${sentence}\n  and then ${sentence}`);
    for (const { text } of chunksOf(items.join("\n"))) expect(text).toMatch(/^- \d+ .*[^]*\n {2}and then/);
  });

  test("a line without spaces is split between its characters, and no surrogate pair is cut", () => {
    for (const line of ["😀".repeat(3000), `x${"😀".repeat(3000)}`]) {
      const chunks = chunksOf(line);
      expect(chunks.length).toBeGreaterThan(1);
      expect(chunks.map(({ text }) => text).join("")).toBe(line);
      for (const { text } of chunks) expect(text.isWellFormed()).toBe(true);
    }
  });

  test("a long paragraph on one line is split between its sentences", () => {
    const chunks = chunksOf(sentence.repeat(100));
    expect(chunks.length).toBeGreaterThan(1);
    for (const { text, lines } of chunks) {
      expect(text).toEndWith("village.");
      expect(lines).toEqual([1, 1]);
    }
  });
});

describe("a chunk", () => {
  test("takes its date from the heading, else the front matter, else the file name", () => {
    const text = "---\ndate: 2024-02-03\nauthor: Anna\n---\nfirst\n\n## 5 March 2024\n\nsecond\n";
    expect(chunksOf(text, "2023-01-01.md").map(({ date }) => date)).toEqual(["2024-02-03", "2024-03-05"]);
    expect(chunksOf("first", "memory/2023-01-01.md")[0]?.date).toBe("2023-01-01");
    expect(chunksOf("first", "memory/2023-02-30.md")[0]?.date).toBeUndefined();
  });

  test("takes its speaker from its text, else the heading, else the file", () => {
    const text =
      "---\nauthor: Anna\n---\nfirst\n\n## Ben: on Tuesday\n\nsecond\n\n## Plans\n\nCleo: third\n\n## Note: rain\n\nfourth";
    expect(chunksOf(text).map(({ speaker }) => speaker)).toEqual(["Anna", "Ben", "Cleo", "Anna"]);
  });

  test("has a unique id, even if its text equals that of another chunk", () => {
    const chunks = chunksOf("## A\n\nsame\n\n## A\n\nsame\n");
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(2);
    expect(chunksOf("## A\n\nsame", "x.md")[0]?.id).not.toBe(chunksOf("## A\n\nsame", "y.md")[0]?.id ?? "");
  });

  test("keeps its id when the text after it changes", () => {
    const [before] = chunksOf("## A\n\nsame\n\n## B\n\nold\n");
    expect(chunksOf("## A\n\nsame\n\n## B\n\nnew\n")[0]).toEqual(before);
  });
});

const isSized = ({ text }: Chunk): boolean => {
  const bytes = new TextEncoder().encode(text).length;
  return text !== "" && bytes <= 2048 && measure(text).bytes === bytes && measure(text).tokens <= 400;
};

const line = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  fc.constantFrom(
    "",
    "# A",
    "## B",
    "---",
    "===",
    "```",
    "~~~",
    "- x",
    "  - y",
    "1. z",
    "| a | b |",
    "    code",
    "Ann: hi",
  ),
  fc.constantFrom(
    sentence.repeat(60),
    "a          ".repeat(400),
    "x".repeat(5000),
    "😀".repeat(1500),
    "\ud800".repeat(900),
    "漢字".repeat(900),
  ),
);
const file = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => lines.join(end).replaceAll("\0", ""))
  .filter((text) => chunkFile({ path: "x.md", text }, hash).kind === "chunks");

describe("for any file", () => {
  test("every chunk is within the size limits", () => {
    fc.assert(fc.property(file, (text) => chunksOf(text).every(isSized)));
  });

  test("the chunks' lines cover every line that is not blank, in order", () => {
    fc.assert(
      fc.property(file, (text) => {
        const lines = text.replace("\uFEFF", "").split(/\r\n|\n|\r/);
        const chunks = chunksOf(text);
        const covered = new Set<number>();
        let last = 0;
        for (const chunk of chunks) {
          const [first, end] = chunk.lines;
          expect(first).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(first);
          for (let at = first; at <= end; at += 1) covered.add(at);
          last = end;
        }
        for (const [at, one] of lines.entries()) if (one.trim() !== "") expect(covered.has(at + 1)).toBe(true);
      }),
    );
  });

  test("no word is lost", () => {
    fc.assert(
      fc.property(file, (text) => {
        const squeeze = (words: string): string => words.replace(/\s+/g, "");
        const all = squeeze(
          chunksOf(text)
            .map((chunk) => chunk.text)
            .join(""),
        );
        expect(all).toBe(squeeze(text.toWellFormed().replace("\uFEFF", "")));
      }),
    );
  });

  test("the same text gives the same chunks, all with different ids", () => {
    fc.assert(
      fc.property(file, (text) => {
        const chunks = chunksOf(text);
        expect(chunksOf(text)).toEqual(chunks);
        expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
      }),
    );
  });
});
