/** The table `[memory]`: how agents search their memory. */
import { DEFAULT_RECALLED, MAX_RECALLED } from "@hearth/protocol";
import type { MemoryTuning } from "@hearth/protocol/memory-frames";
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue, WebUrl } from "../values.ts";

export const memoryKinds = ["sqlite", "markdown", "none"] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** The default URLs of embedders over HTTP. */
const HTTP_EMBEDDER_URLS = { ollama: "http://127.0.0.1:11434", "openai-compatible": undefined } as const;
export type HttpEmbedderKind = keyof typeof HTTP_EMBEDDER_URLS;
export const embedderKinds = ["local", "none", "ollama", "openai-compatible"] as const;
export type EmbedderKind = (typeof embedderKinds)[number];

/** An embedding model that another program serves, on this machine or elsewhere. */
export interface HttpEmbedderConfig {
  readonly kind: HttpEmbedderKind;
  /** The base URL without a slash at the end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly dimensions: number;
}

export interface MemoryConfig {
  readonly backend: MemoryKind;
  readonly embedder: Exclude<EmbedderKind, HttpEmbedderKind> | HttpEmbedderConfig;
  readonly apiKey?: SecretReference;
  /** Idle time after which the index process ends. */
  readonly idleSeconds: number;
  /** Default number of hits per answer. */
  readonly topK: number;
  readonly tuning: MemoryTuning;
}

const SECONDS_ERROR = "must be a number of seconds from 1 to 86400";
const WEIGHT_ERROR = "must be a number from 0 to 100";
const DAYS_ERROR = "must be a number of days from 1 to 36500";
const COUNT_ERROR = `must be a whole number from 1 to ${MAX_RECALLED}`;
const DIMENSIONS_ERROR = "must be a whole number from 1 to 8192";
const PlainUrl = WebUrl.refine((url) => {
  const { username, password, search, hash } = new URL(url);
  return `${username}${password}${search}${hash}` === "";
}, "must be a plain URL, without a user name, a password, a ? or a #; put a key under api_key");

const Fields = z.strictObject({
  backend: z.enum(memoryKinds).default("sqlite"),
  embedder: z.enum(embedderKinds).default("local"),
  base_url: PlainUrl.optional(),
  model: z.string().min(1, "must name a model").max(200).optional(),
  dimensions: z.int(DIMENSIONS_ERROR).min(1, DIMENSIONS_ERROR).max(8192, DIMENSIONS_ERROR).optional(),
  api_key: Reference.optional(),
  idle_seconds: z.number(SECONDS_ERROR).min(1, SECONDS_ERROR).max(86_400, SECONDS_ERROR).default(600),
  top_k: z.int(COUNT_ERROR).min(1, COUNT_ERROR).max(MAX_RECALLED, COUNT_ERROR).default(DEFAULT_RECALLED),
  semantic: z.number(WEIGHT_ERROR).min(0, WEIGHT_ERROR).max(100, WEIGHT_ERROR).optional(),
  lexical: z.number(WEIGHT_ERROR).min(0, WEIGHT_ERROR).max(100, WEIGHT_ERROR).optional(),
  half_life_days: z.number(DAYS_ERROR).min(1, DAYS_ERROR).max(36_500, DAYS_ERROR).optional(),
});
type Fields = z.infer<typeof Fields>;

const isHttpEmbedder = (kind: EmbedderKind): kind is HttpEmbedderKind => Object.hasOwn(HTTP_EMBEDDER_URLS, kind);

/**
 * An HTTP embedder has a URL and a model, and other embedders have neither. Either all ranking
 * weights are set or none.
 */
export const MemoryText = Fields.check(({ value, issues }) => {
  const { embedder, backend, semantic, lexical } = value;
  const requiredKeys: readonly string[] = isHttpEmbedder(embedder)
    ? [...(HTTP_EMBEDDER_URLS[embedder] === undefined ? ["base_url"] : []), "model", "dimensions"]
    : [];
  for (const key of ["base_url", "model", "dimensions"] as const) {
    if (value[key] === undefined && requiredKeys.includes(key))
      issues.push(createIssue(value, `is required by embedder = "${embedder}"`, examples[key], [key]));
  }
  for (const key of ["base_url", "model", "dimensions", "api_key"] as const) {
    if (isHttpEmbedder(embedder) || value[key] === undefined) continue;
    const hint = 'Write embedder = "ollama" or "openai-compatible", or remove the key.';
    issues.push(createIssue(value, `is only valid for embedders with a URL, and "${embedder}" has none`, hint, [key]));
  }
  if (isHttpEmbedder(embedder) && backend !== "sqlite")
    issues.push(
      createIssue(value, `has no effect with backend = "${backend}"`, 'Write backend = "sqlite", or remove the key.', [
        "embedder",
      ]),
    );
  for (const [missingKey, presentKey] of [
    ["semantic", "lexical"],
    ["lexical", "semantic"],
  ] as const) {
    if (value[missingKey] !== undefined || value[presentKey] === undefined) continue;
    const hint = "Write semantic = 0.7 and lexical = 0.3, or remove both to use the learned ranking.";
    issues.push(createIssue(value, `is required beside ${presentKey}`, hint, [missingKey]));
  }
  if (semantic === 0 && lexical === 0)
    issues.push(
      createIssue(value, "must be above 0, because lexical is 0 too", "Set one of them above 0.", ["semantic"]),
    );
});

const examples = {
  base_url: 'Write base_url = "https://api.openai.com/v1", the URL with its version.',
  model: 'Write model = "nomic-embed-text", as the server names it.',
  dimensions: "Write dimensions = 768, the length of the model's vectors.",
} as const;

const toEmbedder = ({ embedder, base_url, model, dimensions }: Fields): MemoryConfig["embedder"] => {
  if (!isHttpEmbedder(embedder)) return embedder;
  const baseUrl = (base_url ?? HTTP_EMBEDDER_URLS[embedder] ?? "").replace(/\/+$/, "");
  return { kind: embedder, baseUrl, model: model ?? "", dimensions: dimensions ?? 0 };
};

export const toMemory = (fields: Fields): MemoryConfig => {
  const { backend, idle_seconds, top_k, api_key, semantic, lexical, half_life_days } = fields;
  return {
    backend,
    embedder: toEmbedder(fields),
    idleSeconds: idle_seconds,
    topK: top_k,
    ...(api_key === undefined ? {} : { apiKey: api_key }),
    tuning: {
      ...(semantic === undefined ? {} : { semantic }),
      ...(lexical === undefined ? {} : { lexical }),
      ...(half_life_days === undefined ? {} : { halfLifeDays: half_life_days }),
    },
  };
};
