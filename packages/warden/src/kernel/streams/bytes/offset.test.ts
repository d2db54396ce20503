import { expect, test } from "bun:test";
import { formatOffset, parseOffset } from "./offset.ts";

const [OURS, THEIRS, NONE] = ["0123456789abcdef", "fedcba9876543210", "0".repeat(16)];

test("an offset is read as it was written, and sorts like its number", () => {
  for (const offset of [0, 9, 10, 99, Number.MAX_SAFE_INTEGER]) {
    expect(parseOffset(formatOffset(offset))).toBe(offset);
    expect(parseOffset(formatOffset(offset, OURS), OURS)).toBe(offset);
  }
  const texts = [0, 9, 10, 99, 100].map((offset) => formatOffset(offset, OURS));
  expect(texts.toSorted()).toEqual(texts);
  expect(texts[1]).toBe(`0000000000000009_${OURS}`);
});

test("an offset of another epoch is stale, and one without an epoch is not", () => {
  expect(parseOffset(formatOffset(5, THEIRS), OURS)).toBe("stale");
  expect(parseOffset(formatOffset(5, OURS))).toBe("stale");
  expect(parseOffset(formatOffset(5), OURS)).toBe(5);
});

test("other texts are not offsets", () => {
  const texts = ["", "5", "0000000000000005", `5_${OURS}`, `0000000000000005_${OURS}0`, `x000000000000005_${OURS}`];
  for (const text of [...texts, `0000000000000005_${OURS.toUpperCase()}`, `9007199254740992_${NONE}`])
    expect([text, parseOffset(text)]).toEqual([text, undefined]);
});
