/**
 * List prices of vendors' models in dollars per million tokens, for single calls and without
 * discounts. Taken on 2026-11-22 from the vendors' pages (linked at each table) through Pydantic's
 * public price data, genai-prices 0.1.8. If the price depends on the hour, the highest is listed.
 * An alias of the newest model has the price of the most expensive model that it may mean.
 */

/**
 * Model, input, output, input read from the vendor's cache, input written to it. The last two
 * default to the price of input.
 */
export type ModelPrice = readonly [
  model: string,
  input: number,
  output: number,
  cacheRead?: number,
  cacheWrite?: number,
];

export interface VendorPrices {
  readonly models: readonly ModelPrice[];
  /**
   * If a request to one of these models has more than `above` input tokens, all its prices are
   * multiplied by these factors.
   */
  readonly long?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly models: readonly string[];
  };
}

/**
 * By vendor name as in `models/catalog/known.ts`. A name also covers its dated and preview
 * versions.
 */
export const priceList: Readonly<Record<string, VendorPrices>> = {
  // https://platform.claude.com/docs/en/about-claude/pricing
  anthropic: {
    models: [
      ["claude-fable-5-1", 10, 50, 0.25, 12.5],
      ["claude-fable-5", 10, 50, 1, 12.5],
      ["claude-mythos-5-1", 10, 50, 0.25, 12.5],
      ["claude-mythos-5", 10, 50, 1, 12.5],
      ["claude-opus-5-5", 4, 20, 0.2, 5],
      ["claude-opus-5", 5, 25, 0.5, 6.25],
      ["claude-opus-4-8", 5, 25, 0.5, 6.25],
      ["claude-opus-4-7", 5, 25, 0.5, 6.25],
      ["claude-opus-4-6", 5, 25, 0.5, 6.25],
      ["claude-opus-4-5", 5, 25, 0.5, 6.25],
      ["claude-opus-4-1", 15, 75, 1.5, 18.75],
      ["claude-sonnet-5-5", 2, 10, 0.2, 2.5],
      ["claude-sonnet-5", 2, 10, 0.2, 2.5],
      ["claude-sonnet-4-6", 3, 15, 0.3, 3.75],
      ["claude-sonnet-4-5", 3, 15, 0.3, 3.75],
      ["claude-haiku-4-5", 1, 5, 0.1, 1.25],
    ],
    long: { above: 200_000, input: 2, output: 1.5, models: ["claude-sonnet-4-5"] },
  },
  // https://developers.openai.com/api/docs/pricing
  openai: {
    models: [
      ["gpt-6.1-sol", 2, 10, 0.1],
      ["gpt-6-astra", 10, 50, 1, 12.5],
      ["gpt-6-sol", 2, 10, 0.2, 2.5],
      ["gpt-6-luna", 0.1, 0.5, 0.01, 0.125],
      ["gpt-5.6-sol", 4, 20, 0.4, 5],
      ["gpt-5.6-terra", 2, 12, 0.2, 2.5],
      ["gpt-5.6-luna", 0.2, 1.2, 0.02, 0.25],
      ["gpt-5.5", 5, 30, 0.5],
      ["gpt-5.5-pro", 30, 180],
      ["gpt-5.4", 2.5, 15, 0.25],
      ["gpt-5.4-mini", 0.75, 4.5, 0.075],
      ["gpt-5.4-nano", 0.2, 1.25, 0.02],
      ["gpt-5.4-pro", 30, 180],
      ["gpt-5.2", 1.75, 14, 0.175],
      ["gpt-5.1", 1.25, 10, 0.125],
      ["gpt-5", 1.25, 10, 0.125],
      ["gpt-5-mini", 0.25, 2, 0.025],
      ["gpt-5-nano", 0.05, 0.4, 0.005],
      ["gpt-5-pro", 15, 120],
      ["gpt-4.1", 2, 8, 0.5],
      ["gpt-4.1-mini", 0.4, 1.6, 0.1],
      ["gpt-4.1-nano", 0.1, 0.4, 0.025],
      ["gpt-4o", 2.5, 10, 1.25],
      ["gpt-4o-2024-05-13", 5, 15],
      ["gpt-4o-mini", 0.15, 0.6, 0.075],
      ["o3", 2, 8, 0.5],
      ["o3-pro", 20, 80],
      ["o3-mini", 1.1, 4.4, 0.55],
      ["o4-mini", 1.1, 4.4, 0.275],
      // Embedding models have no output.
      ["text-embedding-3-small", 0.02, 0.02],
      ["text-embedding-3-large", 0.13, 0.13],
      ["text-embedding-ada-002", 0.1, 0.1],
    ],
    long: {
      above: 271_999,
      input: 2,
      output: 1.5,
      models: [
        ...["gpt-6.1-sol", "gpt-6-astra", "gpt-6-sol", "gpt-6-luna", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna"],
        ...["gpt-5.5", "gpt-5.5-pro", "gpt-5.4", "gpt-5.4-pro"],
      ],
    },
  },
  // https://ai.google.dev/gemini-api/docs/pricing
  gemini: {
    models: [
      ["gemini-flash-latest", 1.5, 9, 0.15],
      ["gemini-flash-lite-latest", 0.3, 2.5, 0.03],
      ["gemini-pro-latest", 2, 12, 0.2],
      ["gemini-3.8-flash", 0.75, 3.75, 0.075],
      ["gemini-3.7-flash", 0.75, 3.75, 0.075],
      ["gemini-3.6-flash", 0.75, 3.75, 0.075],
      ["gemini-3.5-flash", 1.5, 9, 0.15],
      ["gemini-3.5-flash-lite", 0.3, 2.5, 0.03],
      ["gemini-3.1-pro", 2, 12, 0.2],
      ["gemini-3.1-flash-lite", 0.25, 1.5, 0.025],
      ["gemini-3-pro", 2, 12, 0.2],
      ["gemini-3-flash", 0.5, 3, 0.05],
      ["gemini-2.5-pro", 1.25, 10, 0.125],
      ["gemini-2.5-flash", 0.3, 2.5, 0.03],
      ["gemini-2.5-flash-lite", 0.1, 0.4, 0.01],
    ],
    long: {
      above: 200_000,
      input: 2,
      output: 1.5,
      models: ["gemini-pro-latest", "gemini-3.1-pro", "gemini-3-pro", "gemini-2.5-pro"],
    },
  },
  // https://mistral.ai/pricing/api
  mistral: {
    models: [
      ["mistral-large-latest", 2, 6],
      ["mistral-large-2512", 0.5, 1.5, 0.05],
      ["mistral-medium-latest", 1.5, 7.5, 0.15],
      ["mistral-medium-3-5", 1.5, 7.5, 0.15],
      ["mistral-small-latest", 0.15, 0.6],
      ["mistral-small-2603", 0.15, 0.6, 0.015],
      ["magistral-medium", 2, 5],
      ["magistral-small", 0.5, 1.5],
      ["ministral-14b", 0.2, 0.2, 0.02],
      ["ministral-8b", 0.15, 0.15],
      ["ministral-3b", 0.1, 0.1],
      ["devstral-2512", 0.4, 2, 0.04],
      ["codestral", 0.3, 0.9],
    ],
  },
  // https://console.groq.com/docs/models
  groq: {
    models: [
      ["llama-3.3-70b-versatile", 0.59, 0.79],
      ["llama-3.1-8b-instant", 0.05, 0.08],
      ["meta-llama/llama-4-maverick-17b-128e-instruct", 0.2, 0.6],
      ["meta-llama/llama-4-scout-17b-16e-instruct", 0.11, 0.34],
      ["moonshotai/kimi-k2-instruct", 1, 3, 0.5],
      ["openai/gpt-oss-120b", 0.15, 0.6, 0.075],
      ["openai/gpt-oss-20b", 0.075, 0.3, 0.0375],
      ["qwen/qwen3-32b", 0.29, 0.59],
    ],
  },
  // https://api-docs.deepseek.com/quick_start/pricing
  deepseek: {
    models: [
      ["deepseek-v4-pro", 1.32, 3.96, 0.044],
      ["deepseek-v4-flash", 0.44, 1.32, 0.014],
      // Old names that are aliases of a newer model.
      ["deepseek-chat", 1.32, 3.96, 0.044],
      ["deepseek-reasoner", 1.32, 3.96, 0.044],
    ],
  },
  // https://docs.x.ai/docs/models
  xai: {
    models: [
      ["grok-4.6", 2, 6, 0.5],
      ["grok-4.5", 2, 6, 0.3],
      ["grok-4.3", 1.25, 2.5, 0.2],
      ["grok-4.20", 1.25, 2.5, 0.2],
      ["grok-4", 3, 15, 0.75],
      ["grok-4-1-fast-reasoning", 0.2, 0.5, 0.05],
      ["grok-4-1-fast-non-reasoning", 0.2, 0.5, 0.05],
      ["grok-4-fast-reasoning", 0.2, 0.5, 0.05],
      ["grok-4-fast-non-reasoning", 0.2, 0.5, 0.05],
      ["grok-3", 3, 15, 0.75],
      ["grok-3-mini", 0.3, 0.5, 0.075],
      ["grok-build-0.1", 1, 2, 0.2],
      ["grok-code-fast-1", 0.2, 1.5, 0.02],
    ],
    long: {
      above: 199_999,
      input: 2,
      output: 2,
      models: ["grok-4.6", "grok-4.5", "grok-4.3", "grok-4.20", "grok-build-0.1"],
    },
  },
};
