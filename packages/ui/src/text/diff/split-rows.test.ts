import { expect, test } from "bun:test";
import type { ChangeLine } from "./diff-lines.ts";
import { splitRows } from "./split-rows.ts";

const line = (written: string): ChangeLine => ({
  kind: ({ "+": "added", "-": "removed", " ": "same", "@": "heading" } as const)[written[0] ?? ""] ?? "same",
  text: written.slice(1),
});

const rowsOf = (...written: readonly string[]): readonly string[] =>
  splitRows(written.map(line)).map((row) =>
    row.kind === "heading" ? `@${row.text}` : `${row.before?.text ?? "·"}|${row.after?.text ?? "·"}`,
  );

test("common lines are on both sides, and changed lines are paired in order", () => {
  expect(rowsOf("@1", " a", "-b", "-c", "+d", " e")).toEqual(["@1", "a|a", "b|d", "c|·", "e|e"]);
  expect(rowsOf("+a", "+b")).toEqual(["·|a", "·|b"]);
});

test("lines of different changes are never paired", () => {
  expect(rowsOf("-a", "@1", "+b", " c", "-d", " e", "+f")).toEqual(["a|·", "@1", "·|b", "c|c", "d|·", "e|e", "·|f"]);
});
