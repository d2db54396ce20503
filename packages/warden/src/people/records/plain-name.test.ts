import { expect, test } from "bun:test";
import { MAX_NAME_LENGTH } from "@hearth/protocol";
import { plainName } from "./plain-name.ts";

test("a name is cut at its maximum length, and never in the middle of an emoji", () => {
  const longest = MAX_NAME_LENGTH - 100;
  expect(plainName("a".repeat(longest), "x")).toHaveLength(longest);
  expect(plainName("a".repeat(longest + 1), "x")).toBe("a".repeat(longest));
  const cut = plainName(`${"a".repeat(longest - 1)}🐎`, "x");
  expect([cut.length, cut.isWellFormed()]).toEqual([longest, true]);
  expect(cut).toBe(`${"a".repeat(longest - 1)}\uFFFD`);
});
