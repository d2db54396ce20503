import { expect, test } from "bun:test";
import { formatSize } from "./size.ts";

const KIB = 1024;

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [2, "2 bytes"],
  [KIB - 1, "1023 bytes"],
  [KIB, "1 KiB"],
  [1.5 * KIB, "1.5 KiB"],
  [KIB ** 2, "1 MiB"],
  [38.2 * KIB ** 2, "38.2 MiB"],
  [4 * KIB ** 3, "4 GiB"],
  [KIB ** 4, "1 TiB"],
  [5000 * KIB ** 4, "5000 TiB"],
])("%p bytes are shown as %j", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
