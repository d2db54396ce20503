/** Text diffs as properties over any two lists of lines, and adjacent changes. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { diffLines, type Hunk, showDiff, revertChange } from "./diff.ts";
import { splitLines } from "./lines.ts";

const Lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 14 });

const applied = (before: readonly string[], hunks: readonly Hunk[]): readonly string[] => {
  const lines = [...before];
  for (const { from, to, lines: put } of hunks.toReversed()) lines.splice(from, to - from, ...put);
  return lines;
};

/** Applies a diff like `patch`. */
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
  test("turns one text into the other, and is empty for equal texts", () => {
    fc.assert(
      fc.property(Lines, Lines, (before, after) => {
        const hunks = diffLines(before, after);
        expect(applied(before, hunks)).toEqual(after);
        expect(diffLines(before, before)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("is minimal", () => {
    const before = splitLines("one\ntwo\nthree\nfour\n");
    expect(diffLines(before, splitLines("one\n2\nthree\nfour\nfive\n"))).toEqual([
      { from: 1, to: 2, lines: ["2\n"] },
      { from: 4, to: 4, lines: ["five\n"] },
    ]);
  });

  test("of texts without a common line is one hunk, however long they are", () => {
    const lines = (word: string): readonly string[] => Array.from({ length: 5000 }, (_, index) => `${word} ${index}\n`);
    expect(diffLines(lines("old"), lines("new"))).toEqual([{ from: 0, to: 5000, lines: lines("new") }]);
  });

  test("can be applied as shown", () => {
    fc.assert(
      fc.property(Lines, Lines, (before, after) => {
        expect(patched(before, showDiff(before, after))).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  test("distinguishes a line without a line ending from one with it", () => {
    expect(showDiff(["a"], ["a\n"])).toBe("@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
  });
});

describe("undoing a change", () => {
  test("restores the earlier text if nothing changed since", () => {
    fc.assert(fc.property(Lines, Lines, (before, base) => expect(revertChange(base, before, base)).toEqual(before)));
  });

  test("keeps later changes beside it", () => {
    const [before, base] = [splitLines("head\nend\n"), splitLines("head\nmine\nend\n")];
    expect(revertChange(base, before, splitLines("head\nmine\nend\nlater\n"))).toEqual(["head\n", "end\n", "later\n"]);
    expect(revertChange(["a\n", "mine\n"], ["a\n"], ["a\n", "mine\n", "later\n"])).toEqual(["a\n", "later\n"]);
  });

  test("conflicts with a later change at the same place", () => {
    const [before, base] = [splitLines("head\nend\n"), splitLines("head\nmine\nend\n")];
    expect(revertChange(base, before, splitLines("head\nmine, and more\nend\n"))).toBeUndefined();
  });
});
