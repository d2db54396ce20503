/**
 * Limits and capabilities of models. Taken on 2026-11-23 from https://models.dev (public domain
 * facts, commit 482fb019 of anomalyco/models.dev), and for models of local servers from the
 * category "vision" of https://ollama.com/library. Prices are in `policy/budgets/price-list.ts`.
 * To correct a model in one house: `[models."PROVIDER/MODEL"]` in hearth.toml.
 */

/**
 * An ability of a model. `image`, `document` (PDF) and `audio` are what it accepts. `think` means
 * that it reasons before it answers.
 */
export type Ability = "image" | "document" | "audio" | "think";

/** Name, context and maximum answer in tokens, abilities. A name also covers its dated versions. */
export type ModelRow = readonly [name: string, context: number, output: number, ...abilities: Ability[]];

const M = 1_000_000;
const K = 1_000;

/** By vendor name as in `models/catalog/known.ts`. */
export const modelData: Readonly<Record<string, readonly ModelRow[]>> = {
  anthropic: [
    ["claude-fable-5-1", M, 128 * K, "image", "document", "think"],
    ["claude-fable-5", M, 128 * K, "image", "document", "think"],
    ["claude-mythos-5-1", M, 128 * K, "image", "document", "think"],
    ["claude-mythos-5", M, 128 * K, "image", "document", "think"],
    ["claude-opus-5-5", M, 128 * K, "image", "document", "think"],
    ["claude-opus-5", M, 128 * K, "image", "document", "think"],
    ["claude-opus-4-8", M, 128 * K, "image", "document", "think"],
    ["claude-opus-4-7", M, 128 * K, "image", "document", "think"],
    ["claude-opus-4-6", 200 * K, 128 * K, "image", "document", "think"],
    ["claude-opus-4-5", 200 * K, 64 * K, "image", "document", "think"],
    ["claude-opus-4-1", 200 * K, 32 * K, "image", "document", "think"],
    ["claude-sonnet-5-5", M, 128 * K, "image", "document", "think"],
    ["claude-sonnet-5", M, 128 * K, "image", "document", "think"],
    ["claude-sonnet-4-6", 200 * K, 64 * K, "image", "document", "think"],
    ["claude-sonnet-4-5", 200 * K, 64 * K, "image", "document", "think"],
    ["claude-haiku-4-5", 200 * K, 64 * K, "image", "document", "think"],
  ],
  openai: [
    ["gpt-6.1-sol", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-6-astra", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-6-sol", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-6-luna", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.6-sol", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.6-terra", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.6-luna", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.5", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.5-pro", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.4", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.4-pro", 1_050_000, 128 * K, "image", "document", "think"],
    ["gpt-5.4-mini", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-5.4-nano", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-5.2", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-5.1", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-5", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-5-mini", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-5-nano", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-5-pro", 400 * K, 128 * K, "image", "document", "think"],
    ["gpt-4.1", 1_047_576, 32_768, "image", "document"],
    ["gpt-4.1-mini", 1_047_576, 32_768, "image", "document"],
    ["gpt-4.1-nano", 1_047_576, 32_768, "image", "document"],
    ["gpt-4o", 128 * K, 16_384, "image", "document"],
    ["gpt-4o-2024-05-13", 128 * K, 4096, "image", "document"],
    ["gpt-4o-mini", 128 * K, 16_384, "image", "document"],
    ["gpt-4-turbo", 128 * K, 4096, "image"],
    ["gpt-3.5-turbo", 16_385, 4096],
    ["o3", 200 * K, 100 * K, "image", "document", "think"],
    ["o3-pro", 200 * K, 100 * K, "image", "document", "think"],
    ["o3-mini", 200 * K, 100 * K, "think"],
    ["o4-mini", 200 * K, 100 * K, "image", "document", "think"],
  ],
  gemini: [
    ["gemini-flash-latest", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-flash-lite-latest", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-pro-latest", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3.8-flash", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3.7-flash", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3.6-flash", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3.5-flash", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3.5-flash-lite", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3.1-pro", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3.1-flash-lite", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3-pro", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-3-flash", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-2.5-pro", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-2.5-flash", 1_048_576, 65_536, "image", "audio", "document", "think"],
    ["gemini-2.5-flash-lite", 1_048_576, 65_536, "image", "audio", "document", "think"],
  ],
  mistral: [
    ["mistral-large-latest", 131_072, 16_384],
    ["mistral-large-2512", 262_144, 262_144, "image"],
    ["mistral-medium-latest", 128 * K, 16_384, "image"],
    ["mistral-medium-3-5", 262_144, 262_144, "image", "think"],
    ["mistral-small-latest", 128 * K, 16_384, "image"],
    ["mistral-small-2603", 128 * K, 16_384, "image"],
    ["pixtral-large", 128 * K, 128 * K, "image"],
    ["pixtral-12b", 128 * K, 128 * K, "image"],
    ["magistral-medium", 128 * K, 16_384, "think"],
    ["magistral-small", 128 * K, 128 * K, "think"],
    ["ministral-14b", 128 * K, 128 * K],
    ["ministral-8b", 128 * K, 128 * K],
    ["ministral-3b", 128 * K, 128 * K],
    ["devstral-2512", 128 * K, 128 * K],
    ["codestral", 256 * K, 4096],
  ],
  groq: [
    ["llama-3.3-70b-versatile", 131_072, 32_768],
    ["llama-3.1-8b-instant", 131_072, 8192],
    ["meta-llama/llama-4-maverick-17b-128e-instruct", 131_072, 8192, "image"],
    ["meta-llama/llama-4-scout-17b-16e-instruct", 131_072, 8192, "image"],
    ["moonshotai/kimi-k2-instruct", 131_072, 16_384],
    ["openai/gpt-oss-120b", 131_072, 32_768, "think"],
    ["openai/gpt-oss-20b", 131_072, 32_768, "think"],
    ["qwen/qwen3-32b", 131_072, 16_384, "think"],
  ],
  deepseek: [
    ["deepseek-v4-pro", M, 384 * K, "think"],
    ["deepseek-v4-flash", M, 384 * K, "think"],
    ["deepseek-chat", 128 * K, 8192],
    ["deepseek-reasoner", 128 * K, 128 * K, "think"],
  ],
  xai: [
    ["grok-4.6", 500 * K, 500 * K, "image", "think"],
    ["grok-4.5", 500 * K, 500 * K, "image", "think"],
    ["grok-4", 256 * K, 64 * K, "think"],
    ["grok-3", 131_072, 8192],
    ["grok-3-mini", 131_072, 8192, "think"],
  ],
};

export type PictureRow = readonly [edge: number, sizeBytes: number];

/**
 * Limits of a picture by vendor: the longest edge in pixels, above which the vendor scales it down, and
 * the size in bytes before base64. Taken on 2026-11-29 from the vendors' documentation of picture input.
 */
export const pictureLimits: Readonly<Record<string, PictureRow>> = {
  anthropic: [1568, 3_750_000],
  openai: [2048, 3_750_000],
  gemini: [3072, 3_750_000],
};

/** Limits of vendors and servers that document none. */
export const DEFAULT_PICTURE_LIMITS: PictureRow = [1568, 3_750_000];

/**
 * Prefixes of the names of models for local servers that accept pictures. Their context depends on
 * the server's settings.
 */
export const localVisionModels: readonly string[] = [
  "bakllava",
  "gemma3:12b",
  "gemma3:27b",
  "gemma3:4b",
  "gemma-3-12b",
  "gemma-3-27b",
  "gemma-3-4b",
  "granite3.2-vision",
  "llama3.2-vision",
  "llama4",
  "llava",
  "minicpm-v",
  "mistral-small3.1",
  "mistral-small3.2",
  "moondream",
  "pixtral",
  "qwen2.5-vl",
  "qwen2.5vl",
  "qwen3-vl",
];
