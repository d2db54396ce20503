import { expect, test } from "bun:test";
import { createCpio } from "./cpio.ts";

/**
 * Parses an archive like the kernel: a head of fourteen numbers, a name, the bytes; name and bytes
 * are padded to a multiple of four.
 */
const unpack = (archive: Uint8Array): readonly { name: string; mode: number; text: string }[] => {
  const found: { name: string; mode: number; text: string }[] = [];
  const even = (at: number): number => (at + 3) & ~3;
  for (let at = 0; ;) {
    const head = Buffer.from(archive.subarray(at, at + 110)).toString("latin1");
    expect(head.slice(0, 6)).toBe("070701");
    const field = (index: number): number => Number.parseInt(head.slice(6 + index * 8, 14 + index * 8), 16);
    const [mode, size, nameSize] = [field(1), field(6), field(11)];
    const name = Buffer.from(archive.subarray(at + 110, at + 110 + nameSize - 1)).toString("utf8");
    expect(archive[at + 110 + nameSize - 1]).toBe(0);
    const begin = even(at + 110 + nameSize);
    if (name === "TRAILER!!!") return found;
    found.push({ name, mode, text: Buffer.from(archive.subarray(begin, begin + size)).toString("utf8") });
    at = even(begin + size);
  }
};

test("files of any length come out of an archive unchanged and in order", () => {
  const files = ["", "a", "ab", "abc", "abcd", "abcde"].map((text, index) => ({
    name: `bin/${"x".repeat(index + 1)}`,
    text,
  }));
  const archive = createCpio([
    { path: "bin" },
    ...files.map(({ name, text }) => ({ path: name, bytes: Buffer.from(text) })),
  ]);
  expect(archive.length % 4).toBe(0);
  expect(unpack(archive)).toEqual([
    { name: "bin", mode: 0o040755, text: "" },
    ...files.map((file) => ({ ...file, mode: 0o100755 })),
  ]);
});
