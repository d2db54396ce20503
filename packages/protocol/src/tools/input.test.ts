import { expect, test } from "bun:test";
import { readInput } from "./input.ts";
import { tools } from "./index.ts";

const wrongOf = (input: unknown): string => {
  const read = readInput(tools.write, input);
  return "wrong" in read ? read.wrong : "nothing";
};

test("valid input is returned, without fields that are null", () => {
  expect(readInput(tools.write, { path: "a.md", content: "x" })).toEqual({ data: { path: "a.md", content: "x" } });
  expect(wrongOf({ path: "a.md", content: "x", mode: null })).toBe("nothing");
});

test.each([
  [{ path: "a.md" }, '"content" is missing'],
  [{ path: "a.md", content: null }, '"content" is missing'],
  [{}, '"path" is missing; "content" is missing'],
  [{ path: 5, content: "x" }, '"path": '],
  [{ path: "a.md", content: "x", mode: 1, more: 2 }, 'unknown field "mode", "more"'],
  [null, "Invalid input for write: "],
  ["text", "Invalid input for write: "],
  [[], "Invalid input for write: "],
])("input %j is refused with its problems and the tool's fields", (input, problem) => {
  expect(wrongOf(input)).toStartWith(`Invalid input for write: `);
  expect(wrongOf(input)).toContain(problem);
  expect(wrongOf(input)).toEndWith(" Its fields: path, content.");
});
