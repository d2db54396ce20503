/** The price of a model, and the cost of a call at that price. */
import { describe, expect, test } from "bun:test";
import type { Usage } from "@hearth/protocol";
import { DEFAULT_MODEL } from "@hearth/protocol";
import { knownVendors } from "../../models/catalog/known.ts";
import type { CandidateModel } from "../../models/wires/candidate-models.ts";
import { priceList } from "./price-list.ts";
import { costAtMost, costOf, FREE, type Price, type PriceOptions, priceOf } from "./prices.ts";

const unknown: Price = { input: 15, output: 75, cacheRead: 15, cacheWrite: 15 };
const none: PriceOptions = { own: new Map(), unknown };
const own = (entries: Readonly<Record<string, number>>): PriceOptions => ({
  unknown,
  own: new Map(
    Object.entries(entries).map(([name, price]) => [
      name,
      { input: price, output: price, cacheRead: price, cacheWrite: price },
    ]),
  ),
});
const leaf = (vendor: string | undefined, model: string, more: Partial<CandidateModel> = {}): CandidateModel => ({
  ...{ name: `${vendor ?? "mine"}/${model}`, model, location: "elsewhere" },
  ...(vendor === undefined ? {} : { vendor }),
  ...more,
});
const inputPrice = (model: CandidateModel, options = none): number => priceOf(model, options).input;
const usage = (more: Partial<Usage>): Usage => ({
  ...{ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...more,
});

describe("the price of a model", () => {
  test("is listed for every suggested model of a vendor", () => {
    for (const { name, suggestedModel } of knownVendors) {
      // `openrouter/auto` routes to any model.
      if (suggestedModel === undefined || suggestedModel === "openrouter/auto") continue;
      expect([name, priceOf(leaf(name, suggestedModel), none) === unknown]).toEqual([name, false]);
    }
  });

  test("is found by its name, also with a date or `latest` behind it", () => {
    for (const model of ["claude-sonnet-5-5", "claude-sonnet-5-5-20260922", "claude-sonnet-5-5-latest"])
      expect([model, priceOf(leaf("anthropic", model), none)]).toEqual([
        model,
        { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
      ]);
    expect(inputPrice(leaf("openai", "gpt-4o-2024-05-13"))).toBe(5);
    expect(inputPrice(leaf("openai", "gpt-4o-2024-11-20"))).toBe(2.5);
    expect(inputPrice(leaf("gemini", "gemini-2.5-pro-preview-06-05"))).toBe(1.25);
    expect(inputPrice(leaf("xai", "grok-4-0709"))).toBe(3);
  });

  test("is the highest price for a name that only starts like a listed one", () => {
    for (const [vendor, model] of [
      ["openai", "gpt-5-ultra"],
      ["openai", "gpt-6"],
      ["openai", "gpt-6-sol-fast"],
      ["anthropic", "claude-opus-5-6"],
      ["anthropic", "claude-opus"],
      ["openrouter", "anthropic/claude-opus-5-fast"],
      ["openrouter", "openrouter/auto"],
      ["openrouter", "nobody/knows"],
    ] as const)
      expect([model, priceOf(leaf(vendor, model), none)]).toEqual([model, unknown]);
    expect(priceOf(leaf(undefined, "claude-sonnet-5-5"), none)).toBe(unknown);
    expect(priceOf(leaf("groq", "constructor"), none)).toBe(unknown);
  });

  test("at a reseller is the vendor's own, in any spelling of the name", () => {
    expect(inputPrice(leaf("openrouter", "anthropic/claude-opus-5.5"))).toBe(4);
    expect(inputPrice(leaf("openrouter", "openai/gpt-6-sol"))).toBe(2);
    expect(priceOf(leaf("openrouter", "meta-llama/llama-4:free"), none)).toBe(FREE);
  });

  test("is zero for local models, unless the config sets one", () => {
    const local = leaf(undefined, "llama3.2", { name: "ollama/llama3.2", location: "local" });
    expect(priceOf(local, none)).toBe(FREE);
    expect(inputPrice(local, own({ "ollama/": 1 }))).toBe(1);
    expect(priceOf(leaf(undefined, "basic", { name: DEFAULT_MODEL, location: "built-in" }), none)).toBe(FREE);
  });

  test("from the config overrides the list, by the longest matching prefix", () => {
    const options = own({ "openai/": 1, "openai/gpt-6": 2, "openai/gpt-6-luna": 3, "other/": 4 });
    expect(inputPrice(leaf("openai", "gpt-6-sol"), options)).toBe(2);
    expect(inputPrice(leaf("openai", "gpt-6-luna"), options)).toBe(3);
    expect(inputPrice(leaf("openai", "gpt-5"), options)).toBe(1);
    expect(inputPrice(leaf("anthropic", "claude-opus-5"), options)).toBe(5);
  });
});

describe("the price list", () => {
  test("lists no model twice, and long-request prices only for listed models", () => {
    for (const [vendor, { models, long }] of Object.entries(priceList)) {
      const names = models.map(([name]) => name);
      expect([vendor, new Set(names).size]).toEqual([vendor, names.length]);
      expect([vendor, long?.models.filter((name) => !names.includes(name)) ?? []]).toEqual([vendor, []]);
      expect([vendor, knownVendors.some(({ name }) => name === vendor)]).toEqual([vendor, true]);
    }
  });

  test("has higher prices for output than for input, and lower ones for cached input", () => {
    for (const { models } of Object.values(priceList))
      for (const [model, input, output, cacheRead = input] of models)
        expect([model, input > 0 && output >= input && cacheRead <= input]).toEqual([model, true]);
  });
});

describe("the cost of a call", () => {
  const price: Price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };

  test("is in micro-dollars, with a price per kind of token, and rounded up", () => {
    expect(costOf(usage({ inputTokens: 1_000_000 }), price)).toBe(2_000_000);
    expect(costOf(usage({ inputTokens: 10, outputTokens: 3, cacheReadTokens: 100, cacheWriteTokens: 2 }), price)).toBe(
      75,
    );
    expect(costOf(usage({ cacheReadTokens: 1 }), price)).toBe(1);
    expect(costOf(usage({}), price)).toBe(0);
  });

  test("of a long request is higher as a whole", () => {
    const long = { ...price, long: { above: 200_000, input: 2, output: 1.5 } };
    expect(costOf(usage({ inputTokens: 200_000, outputTokens: 100 }), long)).toBe(401_000);
    expect(costOf(usage({ inputTokens: 100_001, cacheReadTokens: 100_000, outputTokens: 100 }), long)).toBe(441_504);
  });

  test("is at most the dearest way to send its input, and higher only above the limit of a long request", () => {
    const long = { ...price, long: { above: 1_000, input: 2, output: 1.5 } };
    expect([costAtMost(price, 1_000), costAtMost(long, 1_000)]).toEqual([
      { input: 2_500, perOutput: 10 },
      { input: 2_500, perOutput: 10 },
    ]);
    expect(costAtMost(long, 1_001)).toEqual({ input: 5_005, perOutput: 15 });
    expect(costAtMost({ ...price, cacheRead: 9 }, 10).input).toBe(90);
    expect(costAtMost({ ...price, input: 9 }, 10).input).toBe(90);
  });

  test("never exceeds the reserved amount", () => {
    const long = { ...price, long: { above: 1_000, input: 2, output: 1.5 } };
    for (const candidate of [price, long, FREE])
      for (const inputTokens of [0, 1, 999, 1_000, 1_001, 50_000])
        for (const outputTokens of [0, 1, 8_192]) {
          const { input, perOutput } = costAtMost(candidate, inputTokens);
          const most = input + outputTokens * perOutput;
          const part = Math.floor(inputTokens / 3);
          const cached = { cacheReadTokens: part, cacheWriteTokens: inputTokens - 2 * part, inputTokens: part };
          for (const given of [{ inputTokens }, { cacheWriteTokens: inputTokens }, cached])
            expect(costOf(usage({ ...given, outputTokens }), candidate)).toBeLessThanOrEqual(Math.ceil(most));
        }
  });
});
