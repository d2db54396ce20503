/** Lines that were struck are known, whoever struck them, and can be had back. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isReplaced, strike, unstrike } from "./replaced.ts";

test.each(["- ~~old~~", "~~old~~", "  * ~~old~~ (replaced 2026-01-31)", "3. ~~old~~ "])("%p is struck", (line) => {
  expect(isReplaced(line)).toBe(true);
});

test.each(["- old", "- ~~old~~ but true", "a ~~b~~", "~~~", "~~~ts", "- ~~~~", ""])("%p is not", (line) => {
  expect([isReplaced(line), unstrike(line)]).toEqual([false, line]);
});

test("a line that is struck is known to be, and is as it was before once that is taken back", () => {
  const said = fc.stringMatching(/^[^~\s\r\n]([^~\r\n]*[^~\s\r\n])?$/);
  fc.assert(
    fc.property(fc.constantFrom("", "- ", "  * ", "12. "), said, (before, words) => {
      const line = before + words;
      expect(isReplaced(strike(line, "2026-01-31"))).toBe(true);
      expect(unstrike(strike(line, "2026-01-31"))).toBe(line);
    }),
  );
});
