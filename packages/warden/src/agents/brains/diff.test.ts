/** Differences of texts, against what they are to be: any two lists of lines, and changes that lie beside each other. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines, type Hunk, showDiff, takeBack } from "./diff.ts";
import { splitLines } from "./lines.ts";

const Lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 14 });

const applied = (before: readonly string[], hunks: readonly Hunk[]): readonly string[] => {
  const lines = [...before];
  for (const { from, to, lines: put } of hunks.toReversed()) lines.splice(from, to - from, ...put);
  return lines;
};

/** What `patch` would make of it. */
const patched = (before: readonly string[], diff: string): readonly string[] => {
  const lines: string[] = [];
  let at = 0;
  for (const line of splitLines(diff)) {
    const [, start, size] = /^@@ -(\d+),(\d+) \+\d+,\d+ @@\n$/.exec(line) ?? [];
    if (start !== undefined) {
      const next = Number(start) - (size === "0" ? 0 : 1);
      lines.push(...before.slice(at, next));
      at = next;
    } else if (line.startsWith("+")) lines.push(line.slice(1));
    else {
      expect(line.slice(1)).toBe(before[at] ?? "");
      if (line.startsWith(" ")) lines.push(line.slice(1));
      at += 1;
    }
  }
  return [...lines, ...before.slice(at)];
};

describe("a difference", () => {
  test("makes the one text of the other, and is nothing where they are alike", () => {
    fc.assert(
      fc.property(Lines, Lines, (before, after) => {
        const hunks = diffLines(before, after);
        expect(applied(before, hunks)).toEqual(after);
        expect(diffLines(before, before)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("is as small as can be", () => {
    const before = splitLines("one\ntwo\nthree\nfour\n");
    expect(diffLines(before, splitLines("one\n2\nthree\nfour\nfive\n"))).toEqual([
      { from: 1, to: 2, lines: ["2\n"] },
      { from: 4, to: 4, lines: ["five\n"] },
    ]);
  });

  test("of texts that have nothing in common is one hunk, however long they are", () => {
    const lines = (word: string): readonly string[] => Array.from({ length: 5000 }, (_, index) => `${word} ${index}\n`);
    expect(diffLines(lines("old"), lines("new"))).toEqual([{ from: 0, to: 5000, lines: lines("new") }]);
  });

  test("that is shown can be applied as it stands", () => {
    fc.assert(
      fc.property(Lines, Lines, (before, after) => {
        expect(patched(before, showDiff(before, after))).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  test("tells a line without an end from one that has it", () => {
    expect(showDiff(["a"], ["a\n"])).toBe("@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
  });
});

describe("a change that is taken back", () => {
  test("with nothing after it leaves what was before it", () => {
    fc.assert(fc.property(Lines, Lines, (before, base) => expect(takeBack(base, before, base)).toEqual(before)));
  });

  test("leaves what came later beside it", () => {
    const [before, base] = [splitLines("head\nend\n"), splitLines("head\nmine\nend\n")];
    expect(takeBack(base, before, splitLines("head\nmine\nend\nlater\n"))).toEqual(["head\n", "end\n", "later\n"]);
    expect(takeBack(["a\n", "mine\n"], ["a\n"], ["a\n", "mine\n", "later\n"])).toEqual(["a\n", "later\n"]);
  });

  test("is in the way of what was changed at the same place", () => {
    const [before, base] = [splitLines("head\nend\n"), splitLines("head\nmine\nend\n")];
    expect(takeBack(base, before, splitLines("head\nmine, and more\nend\n"))).toBeUndefined();
  });
});
