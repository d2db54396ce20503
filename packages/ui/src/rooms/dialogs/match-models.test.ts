import { expect, test } from "bun:test";
import { matchModels } from "./match-models.ts";

const models = ["claude-opus-5", "claude-haiku-5", "gpt-6"];

test("an empty query matches every model, in the provider's order", () => {
  expect(matchModels(models, " ")).toEqual({ models, hiddenCount: 0 });
});

test("a model matches if it contains every word, in any order and case", () => {
  expect(matchModels(models, "5 CLAUDE").models).toEqual(["claude-opus-5", "claude-haiku-5"]);
  expect(matchModels(models, "claude gpt").models).toEqual([]);
});

test("a long list is cut, and the number of further models is returned", () => {
  const many = Array.from({ length: 45 }, (_, index) => `m-${index}`);
  const { models: shown, hiddenCount: hidden } = matchModels(many, "m-");
  expect([shown.length, shown.at(-1), hidden]).toEqual([30, "m-29", 15]);
});
