import { expect, test } from "bun:test";
import { addUsage, isZeroUsage, ModelName, noUsage, tokensOf, toolText, userText } from "./model.ts";

const usage = { inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4_000 };

test("usages are added by kind, and a cost or an estimate of either is kept", () => {
  const other = { inputTokens: 2, outputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 5 };
  const sum = { inputTokens: 3, outputTokens: 23, cacheReadTokens: 304, cacheWriteTokens: 4_005 };
  expect(addUsage(usage, other)).toEqual(sum);
  expect(addUsage({ ...usage, cost: 5 }, other)).toEqual({ ...sum, cost: 5 });
  expect(addUsage(usage, { ...other, cost: 6 })).toEqual({ ...sum, cost: 6 });
  expect(addUsage({ ...usage, cost: 5 }, { ...other, cost: 6 })).toEqual({ ...sum, cost: 11 });
  expect(addUsage({ ...usage, estimated: true }, other)).toEqual({ ...sum, estimated: true });
  expect(addUsage(usage, { ...other, estimated: true })).toEqual({ ...sum, estimated: true });
  expect(tokensOf(usage)).toBe(4_321);
});

test("a usage is zero without tokens, cost and estimate", () => {
  expect(isZeroUsage(noUsage)).toBe(true);
  for (const kind of Object.keys(noUsage)) expect(isZeroUsage({ ...noUsage, [kind]: 1 })).toBe(false);
  expect(isZeroUsage({ ...noUsage, cost: 0 })).toBe(false);
  expect(isZeroUsage({ ...noUsage, estimated: true })).toBe(false);
});

test.each([
  ["far/m", true],
  ["far/a/b", true],
  ["far", false],
  ["/m", false],
  ["far/", false],
  ["fa r/m", false],
  ["far/m m", false],
])("%j as the name of a model is %p", (name, isValid) => {
  expect(ModelName.safeParse(name).success).toBe(isValid);
});

test("a user message begins with the note of the house", () => {
  expect(userText({ role: "user", text: "Hi." })).toBe("Hi.");
  expect(userText({ role: "user", text: "Hi.", note: "Ana, 9:00" })).toBe("[Ana, 9:00]\nHi.");
});

test("a framed result is between its markers, unless it has no visible text", () => {
  const result = { role: "tool", id: "1", name: "read", failed: false } as const;
  const text = (over: object): string => toolText({ ...result, text: "x", ...over } as never);
  expect(text({})).toBe("x");
  expect(text({ frame: "f1" })).toMatch(/^\[data f1: .* until f1 ends\]\nx\n\[end f1\]$/);
  expect([text({ frame: "f1", text: "" }), text({ frame: "f1", text: " \n" })]).toEqual(["", " \n"]);
});
