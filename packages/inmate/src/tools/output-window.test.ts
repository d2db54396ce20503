import { expect, test } from "bun:test";
import { createOutputWindow } from "./output-window.ts";

const windowOf = (maxSize: number, chunks: readonly string[]): string => {
  const window = createOutputWindow(maxSize);
  for (const chunk of chunks) window.push(new TextEncoder().encode(chunk));
  return window.text();
};

const alphabet = "abcdefghijklmnopqrstuvwxyz";

test("an output within the limit is kept whole, in any chunking", () => {
  expect(windowOf(26, [alphabet])).toBe(alphabet);
  expect(windowOf(26, alphabet.split(""))).toBe(alphabet);
  expect(windowOf(27, ["abc", "", alphabet.slice(3)])).toBe(alphabet);
});

test("a longer output loses its middle with a note of the size, in any chunking", () => {
  for (const size of [1, 2, 3, 5, 7, 26]) {
    const chunks = Array.from({ length: Math.ceil(26 / size) }, (_, index) =>
      alphabet.slice(index * size, (index + 1) * size),
    );
    expect(windowOf(6, chunks)).toBe("abc\n[cut: 20 bytes]\nxyz");
    expect(windowOf(7, chunks)).toBe("abcd\n[cut: 19 bytes]\nxyz");
  }
});

test("a cut never splits a character", () => {
  expect(windowOf(7, ["ä€😀", "x".repeat(50), "😀€ä"])).not.toContain("\ufffd");
  expect(windowOf(8, ["€€€€€€€€€€"])).toBe("€\n[cut: 22 bytes]\n€");
});

test("invalid UTF-8 becomes U+FFFD", () => {
  const window = createOutputWindow(10);
  window.push(Uint8Array.of(65, 0xff, 66));
  expect(window.text()).toBe("A\ufffdB");
  expect(window.total).toBe(3);
});
