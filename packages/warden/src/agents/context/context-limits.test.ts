import { expect, test } from "bun:test";
import type { CandidateModel } from "../../models/wires/candidate-models.ts";
import { compactAbove, limitOf } from "./context-limits.ts";

const leaf = (name: string, more: Partial<CandidateModel> = {}): CandidateModel => ({
  name,
  model: name,
  runs: "elsewhere",
  ...more,
});
const NONE = { limits: new Map<string, number>() };

test("a limit comes from the longest matching prefix in the config, else from the vendor, else from the default", () => {
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

test("among several candidate models, the smallest limit counts", () => {
  expect(limitOf([leaf("a/b", { vendor: "gemini" }), leaf("c/d", { runs: "local" })], NONE)).toBe(32_768);
});

test("compaction is due when only the reserve is free, and a reserve of the whole limit leaves a quarter", () => {
  expect(compactAbove(200_000, {})).toBe(168_000);
  expect(compactAbove(32_768, {})).toBe(24_576);
  expect(compactAbove(100_000, { reserve: 1000 })).toBe(99_000);
  expect(compactAbove(8000, { reserve: 9000 })).toBe(2000);
});
