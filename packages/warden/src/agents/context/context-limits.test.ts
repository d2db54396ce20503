import { expect, test } from "bun:test";
import type { CandidateModel } from "../../models/wires/candidate-models.ts";
import { compactAbove, limitOf } from "./context-limits.ts";

const leaf = (name: string, more: Partial<CandidateModel> = {}): CandidateModel => ({
  name,
  model: name,
  location: "elsewhere",
  ...more,
});
const config = (limits: readonly (readonly [string, number])[] = []) => ({
  compaction: { limits: new Map(limits) },
  models: new Map([["own/", { context: 50_000 }]]),
});
const NONE = config();

test("a limit comes from the longest matching prefix in the config, else from the data of the model up to the longest session, else from the default", () => {
  const own = config([
    ["local/", 8000],
    ["local/large", 64_000],
  ]);
  expect(limitOf([leaf("local/large-2")], own)).toBe(64_000);
  expect(limitOf([leaf("local/tiny")], own)).toBe(8000);
  expect(limitOf([leaf("a/claude", { vendor: "anthropic" })], NONE)).toBe(200_000);
  expect(limitOf([leaf("x/y", { location: "local" })], NONE)).toBeLessThan(limitOf([leaf("x/y")], NONE));
  expect(limitOf([leaf("own/model")], NONE)).toBe(50_000);
  expect(limitOf([leaf("a/gpt-6-sol", { vendor: "openai", model: "gpt-6-sol" })], NONE)).toBe(200_000);
  expect(limitOf([leaf("offline/basic", { location: "built-in" })], NONE)).toBe(Infinity);
});

test("among several candidate models, the smallest limit counts", () => {
  expect(limitOf([leaf("a/b", { vendor: "gemini" }), leaf("c/d", { location: "local" })], NONE)).toBe(32_768);
});

test("compaction is due when only the reserve is free, and a reserve of the whole limit leaves a quarter", () => {
  expect(compactAbove(200_000, {})).toBe(168_000);
  expect(compactAbove(32_768, {})).toBe(24_576);
  expect(compactAbove(100_000, { reserve: 1000 })).toBe(99_000);
  expect(compactAbove(8000, { reserve: 9000 })).toBe(2000);
});
