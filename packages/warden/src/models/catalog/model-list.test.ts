import { expect, test } from "bun:test";
import { toModelNames } from "./model-list.ts";

test("names keep their order without duplicates, and embedding models come last", () => {
  const names = ["nomic-embed-text", "b", "text-embedding-3", "a", "b"];
  expect(toModelNames("den", names, 10)).toEqual(["b", "a", "nomic-embed-text", "text-embedding-3"]);
  expect(toModelNames("den", names, 3)).toEqual(["b", "a", "nomic-embed-text"]);
});

test("a name that an agent's record could not store, or with invisible characters, is left out", () => {
  const odd = ["", "two words", "line\n", "\u001b[2J", "a\u202eb", "half \ud83d", "\ud83d", "zero\u200bwidth"];
  expect(toModelNames("den", [...odd, "fine", "日本/模型:7b"], 10)).toEqual(["fine", "日本/模型:7b"]);
});

test("the length limit applies to a name with its provider in front", () => {
  expect(toModelNames("den", ["x".repeat(196), "x".repeat(197)], 10)).toEqual(["x".repeat(196)]);
});
