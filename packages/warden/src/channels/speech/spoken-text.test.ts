import { expect, test } from "bun:test";
import { toSpoken } from "./spoken-text.ts";

test.each([
  ["I **will** water *them*.", "I will water them."],
  ["# Plan\n\n- [the shed](https://shed.test/x)\n- `paint`", "Plan\nthe shed\npaint"],
  ["Run:\n```sh\nrm -rf /\n```\nThen wait.", "Run:\nThen wait."],
  ["An open block\n```\ncode", "An open block"],
  ["See https://shed.test/a?b=c now", "See now"],
  ["snake_case and 2 * 3 * 4 stay", "snake_case and 2 * 3 * 4 stay"],
  ["```\nonly code\n```", ""],
  ["— … —", ""],
])("%j is read as %j", (markdown, spoken) => {
  expect(toSpoken(markdown)).toBe(spoken);
});

test("a long text ends with a sentence, and a text without one at a word", () => {
  const sentences = toSpoken("A short sentence. ".repeat(400));
  expect(sentences.length).toBeLessThanOrEqual(4_000);
  expect(sentences).toEndWith("sentence.");
  expect(toSpoken("word ".repeat(2_000))).toEndWith("word");
});
