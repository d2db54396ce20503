import { expect, test } from "bun:test";
import type { CandidateModel } from "../wires/candidate-models.ts";
import { priceList } from "../../policy/budgets/price-list.ts";
import { modelData } from "./model-data.ts";
import { modelInfo } from "./model-info.ts";

const NONE = new Map();
const leaf = (name: string, vendor?: string, location: CandidateModel["location"] = "elsewhere"): CandidateModel => ({
  ...{ name, model: name.slice(name.indexOf("/") + 1), location },
  ...(vendor === undefined ? {} : { vendor }),
});

test.each([
  ["a/claude-sonnet-5-5", "anthropic", { context: 1_000_000, sees: true, documents: true, hears: false }],
  ["a/claude-sonnet-4-5-20250929", "anthropic", { context: 200_000, output: 64_000, sees: true }],
  ["o/gpt-6-sol", "openai", { context: 1_050_000, sees: true, documents: true, thinks: true }],
  ["o/o3-mini", "openai", { sees: false, documents: false }],
  ["r/google/gemini-3.8-flash", "openrouter", { context: 1_048_576, hears: true }],
  ["d/deepseek-v4-pro", "deepseek", { context: 1_000_000, sees: false }],
])("%s of %s is in the data", (name, vendor, expected) => {
  expect(modelInfo(leaf(name, vendor), NONE)).toMatchObject(expected);
});

test("of a model that the data does not have, only what all models of its vendor have is assumed", () => {
  expect(modelInfo(leaf("a/claude-next-9", "anthropic"), NONE)).toMatchObject({ context: 200_000, sees: true });
  expect(modelInfo(leaf("o/gpt-9", "openai"), NONE)).toMatchObject({ context: 16_385, sees: false });
  expect(modelInfo(leaf("x/y"), NONE)).toMatchObject({ context: 128_000, sees: false, tools: true });
});

test.each([
  ["l/llava:13b", true],
  ["l/qwen/qwen2.5-vl-7b", true],
  ["l/Gemma3:4b", true],
  ["l/gemma3:1b", false],
  ["l/llama3.2", false],
])("a local server's %s sees: %s", (name, sees) => {
  expect(modelInfo(leaf(name, undefined, "local"), NONE)).toMatchObject({ context: 32_768, sees });
});

test("the config overrides single values by the longest beginning of the name", () => {
  const own = new Map([
    ["l/", { sees: true, context: 8000 }],
    ["l/blind", { sees: false }],
  ]);
  expect(modelInfo(leaf("l/eyes", undefined, "local"), own)).toMatchObject({ sees: true, context: 8000 });
  expect(modelInfo(leaf("l/blind-2", undefined, "local"), own)).toMatchObject({ sees: false, context: 32_768 });
});

test("every vendor with prices has model data, and its numbers are plausible", () => {
  expect(Object.keys(modelData).sort()).toEqual(Object.keys(priceList).sort());
  for (const rows of Object.values(modelData))
    for (const [name, context, output] of rows) {
      expect(name).toMatch(/^[a-z0-9./-]+$/);
      expect(context).toBeGreaterThanOrEqual(8192);
      expect(output).toBeLessThanOrEqual(context);
    }
});
