import { expect, test } from "bun:test";
import type { CandidateModel } from "../../models/wires/candidate-models.ts";
import { dueAbove, limitOf } from "./context-limits.ts";

const leaf = (name: string, more: Partial<CandidateModel> = {}): CandidateModel => ({
  name,
  model: name,
  runs: "elsewhere",
  ...more,
});
const NONE = { limits: new Map<string, number>() };

test("a model takes what the config says of the longest beginning of its name, else what is known of its vendor, else less", () => {
  const limits = new Map([
    ["local/", 8000],
    ["local/large", 64_000],
  ]);
  expect(limitOf([leaf("local/large-2")], { limits })).toBe(64_000);
  expect(limitOf([leaf("local/tiny")], { limits })).toBe(8000);
  expect(limitOf([leaf("a/claude", { vendor: "anthropic" })], NONE)).toBe(200_000);
  expect(limitOf([leaf("x/y", { runs: "local" })], NONE)).toBeLessThan(limitOf([leaf("x/y")], NONE));
  expect(limitOf([leaf("offline/basic", { runs: "built-in" })], NONE)).toBe(Infinity);
});

test("of several that may answer, the one that takes least counts", () => {
  expect(limitOf([leaf("a/b", { vendor: "gemini" }), leaf("c/d", { runs: "local" })], NONE)).toBe(32_768);
});

test("a talk is due when no more than the reserve is free, and a reserve of all leaves a quarter", () => {
  expect(dueAbove(200_000, {})).toBe(168_000);
  expect(dueAbove(32_768, {})).toBe(24_576);
  expect(dueAbove(100_000, { reserve: 1000 })).toBe(99_000);
  expect(dueAbove(8000, { reserve: 9000 })).toBe(2000);
});
