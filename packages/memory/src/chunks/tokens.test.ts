import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSizes, fitsChunk, measure, MAX_CHUNK_BYTES, MAX_CHUNK_TOKENS } from "./tokens.ts";

test.each([
  ["", 0],
  [" \t\n\u0001", 0],
  ["a", 1],
  ["abcde", 1],
  ["abcdef", 2],
  ["azAZ", 1],
  ["abcdefghijk", 3],
  ["0", 1],
  ["099", 1],
  ["0123", 2],
  ["1234567", 3],
  // Letters and digits start again after each other, and after any other character.
  ["abc123abc", 3],
  ["ab ab", 2],
  ["12-12", 3],
  // The characters beside the ranges of letters and digits.
  ["@[`{/:", 6],
  ["!", 1],
  ["éé", 2],
  ["😀", 1],
  ["\ud83d", 1],
  ["\ud83da", 2],
  ["\ude00\ud83d", 2],
  ["\ud7ff\ue000", 2],
])("%j has %d tokens", (text, tokens) => {
  expect(measure(text).tokens).toBe(tokens);
});

test("bytes are those of the text in UTF-8", () => {
  const edges = ["\u007f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"];
  for (const text of [...edges, edges.join("")]) expect(measure(text).bytes).toBe(Buffer.byteLength(text));
  const units = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 40 });
  fc.assert(fc.property(units, (text) => expect(measure(text).bytes).toBe(Buffer.byteLength(text))));
});

test("a size is in bounds up to both limits", () => {
  expect(fitsChunk({ bytes: MAX_CHUNK_BYTES, tokens: MAX_CHUNK_TOKENS })).toBe(true);
  expect(fitsChunk({ bytes: MAX_CHUNK_BYTES + 1, tokens: 0 })).toBe(false);
  expect(fitsChunk({ bytes: 0, tokens: MAX_CHUNK_TOKENS + 1 })).toBe(false);
});

test("lines fit a chunk if their joined text does", () => {
  const lines = [
    ...Array.from({ length: 30 }, () => "x".repeat(100)),
    "",
    " ".repeat(MAX_CHUNK_BYTES),
    "-".repeat(MAX_CHUNK_TOKENS),
    "-",
  ];
  const sizes = createSizes(lines);
  for (let first = 0; first < lines.length; first += 1)
    for (let last = first; last < lines.length; last += 1) {
      const size = lines.slice(first, last + 1).map(measure);
      const bytes = size.reduce((sum, one) => sum + one.bytes, 0) + last - first;
      const tokens = size.reduce((sum, one) => sum + one.tokens, 0);
      expect(sizes.fits(first, last)).toBe(fitsChunk({ bytes, tokens }));
    }
  const two = (length: number): boolean => createSizes(["", " ".repeat(length)]).fits(0, 1);
  expect([two(MAX_CHUNK_BYTES - 1), two(MAX_CHUNK_BYTES)]).toEqual([true, false]);
});
