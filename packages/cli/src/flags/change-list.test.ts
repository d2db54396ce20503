import { expect, test } from "bun:test";
import { applyListChange, namesOf, readListChange } from "./change-list.ts";

test.each([
  ["a,b", ["c"], ["a", "b"], ["a", "b"]],
  [" a , ,a ", [], ["a"], ["a"]],
  ["", ["c"], [], []],
  ["+a", ["c"], ["c", "a"], ["a"]],
  ["+c", ["c", "d"], ["c", "d"], ["c"]],
  ["-c", ["c", "d"], ["d"], ["c"]],
  ["-x", ["c"], ["c"], ["x"]],
  ["+a,-c", ["c", "d"], ["d", "a"], ["a", "c"]],
])("%j makes of %j the list %j", (text, present, after, names) => {
  const change = readListChange("--members", text);
  expect([applyListChange(change, present), namesOf(change)]).toEqual([after, names]);
});

test.each(["a,+b", "-a,b"])("%j is neither a list nor changes of one", (text) => {
  expect(() => readListChange("--members", text)).toThrow(
    expect.objectContaining({
      message: `--members mixes a whole list with changes: ${text}`,
      hint: "Use either --members a,b or --members +a,-b",
    }),
  );
});
