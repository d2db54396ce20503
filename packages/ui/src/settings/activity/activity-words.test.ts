/** Texts about runs. */
import { expect, test } from "bun:test";
import type { Activation } from "@hearth/protocol";
import { describeOutcome, describeStep, describeReason, formatDuration, formatTokens } from "./activity-words.ts";

const run = (more: object): Activation => ({ state: "replied", ...more }) as unknown as Activation;

test("an outcome names the reason of a skipped run, and a run that another one answered", () => {
  expect(describeOutcome(run({}))).toBe("Replied");
  expect(describeOutcome(run({ state: "skipped" }))).toBe("No reply");
  expect(describeOutcome(run({ state: "skipped", skip: "cooldown" }))).toBe("No reply: cooldown");
  expect(describeOutcome(run({ state: "failed", skip: "cooldown" }))).toBe("Failed");
  expect(describeOutcome(run({ mergedInto: "act_1" }))).toContain("another message");
});

test("a reason is that of the skip, else the error, else the text", () => {
  const error = { code: "provider.auth", message: "refused" };
  expect(describeReason(run({ skip: "budget", error }))).toBe("The agent's budget is spent.");
  expect(describeReason(run({ error, reason: "Stopped by Ada" }))).not.toContain("Ada");
  expect(describeReason(run({ reason: "Stopped by Ada" }))).toContain("Ada");
});

test.each([
  [undefined, 1, undefined],
  [1, undefined, undefined],
  [5, 1, "0 ms"],
  [0, 999, "999 ms"],
  [0, 1000, "1.0 s"],
  [0, 59_900, "59.9 s"],
  [0, 60_000, "1 min 0 s"],
  [0, 125_000, "2 min 5 s"],
] as const)("from %p to %p is %p", (from, to, text) => {
  expect(formatDuration(from, to)).toBe(text);
});

test("tokens count cached input, and name estimates and missing reports", () => {
  const usage = { inputTokens: 1000, cacheReadTokens: 200, cacheWriteTokens: 4, outputTokens: 88 };
  const none = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  expect(formatTokens({ usage }, "en")).toBe("1,204 tokens in, 88 out");
  expect(formatTokens({ usage: { ...usage, estimated: true } }, "en")).toEndWith("(estimated)");
  expect(formatTokens({ usage: none }, "en")).toBeUndefined();
  expect(formatTokens({ usage: { ...none, outputTokens: 1 } }, "en")).toBe("0 tokens in, 1 out");
  expect(formatTokens({ usage: { ...none, estimated: true } }, "en")).toBe("tokens not reported");
});

test("a step is named after its kind", () => {
  expect(describeStep({ kind: "model", name: "x", step: -1 })).toBe("Relevance check");
  expect(describeStep({ kind: "model", name: "x", step: 0 })).toBe("Model call");
  expect(describeStep({ kind: "intake", name: "x", step: 1 })).toBe("Received new messages");
  expect(describeStep({ kind: "tool", name: "read", step: 1 })).toBe("Tool call: read");
});
