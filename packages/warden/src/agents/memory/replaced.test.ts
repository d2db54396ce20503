/** Struck-out lines are recognised, regardless of who struck them, and can be restored. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isReplaced, strike, unstrike } from "./replaced.ts";

test.each(["- ~~old~~", "~~old~~", "  * ~~old~~ (replaced 2026-01-31)", "3. ~~old~~ "])("%p is struck", (line) => {
  expect(isReplaced(line)).toBe(true);
});

test.each(["- old", "- ~~old~~ but true", "a ~~b~~", "~~~", "~~~ts", "- ~~~~", ""])("%p is not", (line) => {
  expect([isReplaced(line), unstrike(line)]).toEqual([false, line]);
});

test("a struck-out line is recognised and can be restored unchanged", () => {
  const said = fc.stringMatching(/^[^~\s\r\n]([^~\r\n]*[^~\s\r\n])?$/);
  fc.assert(
    fc.property(fc.constantFrom("", "- ", "  * ", "12. "), said, (before, words) => {
      const line = before + words;
      expect(isReplaced(strike(line, "2026-01-31"))).toBe(true);
      expect(unstrike(strike(line, "2026-01-31"))).toBe(line);
    }),
  );
});
