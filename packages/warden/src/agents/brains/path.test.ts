import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { checkPath } from "./path.ts";

const isRefused = (path: string): boolean => {
  try {
    checkPath(path);
    return false;
  } catch (error) {
    if (!isHearthError(error, "brain.path")) throw error;
    return true;
  }
};

test.each([
  "202E",
  "202D",
  "2066",
  "2067",
  "2069",
  "200E",
  "200F",
  "061C",
  "200B",
  "FEFF",
  "2060",
  "2028",
  "00AD",
  "E0041",
])("a name with U+%s in it is refused, because it would look like another name", (point) => {
  const character = String.fromCodePoint(Number.parseInt(point, 16));
  expect(isRefused(`memory/exe${character}dm.txt`)).toBe(true);
  expect(isRefused(`memory/${character}/notes.md`)).toBe(true);
});

test("names in any script and joined emoji are valid", () => {
  for (const path of [
    "memory/\u00e4.md",
    "memory/\u05e9\u05dc\u05d5\u05dd.md",
    "memory/\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.md",
    "SOUL.md",
  ])
    expect([path, isRefused(path)]).toEqual([path, false]);
});
