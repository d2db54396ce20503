/** Which paths of models name files and folders of the workspace. */
import { expect, test } from "bun:test";
import { parseFilePath, parseFolderPath, quotePath, showName } from "./path.ts";

const read = (parse: (text: string) => readonly string[], text: string): number | string => {
  try {
    return parse(text).length;
  } catch (error) {
    return (error as Error).message.replace(`The path ${quotePath(text)} `, "");
  }
};

/** Path → the number of its names, or why it is refused, as a file and as a folder. */
const EXAMPLES: readonly (readonly [path: string, outcomes: readonly (number | string)[]])[] = [
  [".", ["is the workspace itself, not a file.", 0]],
  ["a", [1, 1]],
  ["./a", [1, 1]],
  ["a/b", [2, 2]],
  ["a//b", ["contains an empty part or `.`.", "contains an empty part or `.`."]],
  ["a/./b", ["contains an empty part or `.`.", "contains an empty part or `.`."]],
  ["a/../b", ["contains `..`.", "contains `..`."]],
  ["..", ["contains `..`.", "contains `..`."]],
  ["/a", ["is absolute.", "is absolute."]],
  ["~a", ["starts at a home folder.", "starts at a home folder."]],
  ["a~", [1, 1]],
  ["", ["is empty.", "is empty."]],
  ["a\\b", ["contains a backslash.", "contains a backslash."]],
  ["c:x", ["looks like a drive or a URL.", "looks like a drive or a URL."]],
  ["./c:x", [1, 1]],
  ["a:b/c", ["looks like a drive or a URL.", "looks like a drive or a URL."]],
  ["a/c:x", [2, 2]],
  ["a/", ["contains an empty part or `.`.", 1]],
  ["./", ["contains an empty part or `.`.", 0]],
  ["%2e%2e", [1, 1]],
];

test.each([...EXAMPLES])("the path %p: %p", (path, outcomes) => {
  expect([read(parseFilePath, path), read(parseFolderPath, path)]).toEqual([...outcomes]);
});

test("a path contains no control character and is well-formed", () => {
  for (const text of ["a\u0000", "a\u001f", "a\u007f", "a\u009f"])
    expect(read(parseFilePath, text)).toBe("contains a control character.");
  expect(read(parseFilePath, "\ud800")).toBe("is not well-formed Unicode.");
});

test("a name has at most 255 bytes, and a path 1,024", () => {
  expect(read(parseFilePath, "x".repeat(255))).toBe(1);
  expect(read(parseFilePath, "é".repeat(128))).toBe("has a name longer than 255 bytes.");
  const long = `${"x".repeat(200)}/`.repeat(5);
  expect(read(parseFilePath, `${long}${"x".repeat(19)}`)).toBe(6);
  expect(read(parseFilePath, `${long}${"x".repeat(20)}`)).toBe("is longer than 1024 bytes.");
});

test("messages show a long path shortened, and lists show odd names quoted", () => {
  expect(quotePath("x".repeat(120))).toBe(`"${"x".repeat(120)}"`);
  expect(quotePath("x".repeat(121))).toBe(`"${"x".repeat(120)}…"`);
  expect(["a b", "a\nb", "a\u2028b", "\ud800"].map(showName)).toEqual(["a b", '"a\\nb"', '"a\u2028b"', '"\\ud800"']);
});
