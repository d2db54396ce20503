/**
 * The tables `[providers.NAME]`: a wire to a vendor, or a composite of other providers. Also
 * `[models."PROVIDER/MODEL"]`: limits and abilities that differ from the built-in data.
 */
import { MAX_FALLBACK } from "@hearth/protocol";
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue, WebUrl } from "../values.ts";

export interface ProviderConfig {
  readonly kind: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
  /** Number of retries after the first attempt, for transient failures. */
  readonly retries?: number;
  /**
   * Targets of a chain, in the order of attempts: `provider/model`, or `provider/` for the
   * requested model.
   */
  readonly models?: readonly string[];
  /**
   * Routes of a router: prefix of a model's name → `provider/model`, or `provider/` for the rest
   * after the prefix.
   */
  readonly routes?: ReadonlyMap<string, string>;
}

/** The composite kinds, with the key that lists their parts. */
const PART_KEYS = { reliable: "models", router: "routes" } as const;
export type CompositeKind = keyof typeof PART_KEYS;

const isCompositeKind = (kind: string): kind is CompositeKind => Object.hasOwn(PART_KEYS, kind);

export const ProviderName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,63}$/,
    "is not a valid provider name: use lower-case letters, digits and hyphens, beginning with a letter",
  );

const RETRIES_ERROR = "must be a whole number from 0 to 3";
const Target = z
  .string()
  .max(200)
  .regex(/^[a-z][a-z0-9-]{0,63}\/\S*$/, "is neither provider/model nor provider/ to pass the model name on");

const Fields = z.strictObject({
  kind: z.string(),
  base_url: WebUrl.optional(),
  api_key: Reference.optional(),
  retries: z.int(RETRIES_ERROR).min(0).max(3).optional(),
  models: z
    .array(Target)
    .min(1, "must name a model")
    .max(MAX_FALLBACK + 1)
    .optional(),
  routes: z.record(z.string().max(100), Target).optional(),
});
type Fields = z.infer<typeof Fields>;

/** A wire has a URL and a key. A composite has neither. */
export const ProviderText = Fields.check(({ value, issues }) => {
  const partKey = isCompositeKind(value.kind) ? PART_KEYS[value.kind] : undefined;
  for (const [kind, key] of Object.entries(PART_KEYS)) {
    if (key === partKey && value[key] === undefined)
      issues.push(createIssue(value, PART_ERRORS[key], EXAMPLES[key], [key]));
    if (key !== partKey && value[key] !== undefined)
      issues.push(
        createIssue(value, `is only valid with kind = "${kind}"`, "Change the kind, or remove the key.", [key]),
      );
  }
  for (const key of ["base_url", "api_key", "retries"] as const) {
    if (partKey === undefined || value[key] === undefined) continue;
    const hint = `Set it for the providers that ${partKey} names.`;
    issues.push(
      createIssue(value, `is only valid for providers with a wire, and "${value.kind}" is a composite`, hint, [key]),
    );
  }
});

const PART_ERRORS = { models: "must be a list of models in brackets", routes: "must be a table of routes" } as const;
const EXAMPLES = {
  models: 'Write models = ["anthropic/claude-sonnet-5-5", "openai/gpt-6-sol"].',
  routes: 'Write routes = { "fast/" = "local/llama3.2", "" = "anthropic/claude-sonnet-5-5" }.',
} as const;

/** The providers by name. Cycles are refused, because a provider in a cycle would never answer. */
export const Providers = z.record(ProviderName, ProviderText).check(({ value, issues }) => {
  const providers = new Map(Object.entries(value));
  const visited = new Set<string>();
  const visit = (name: string, ancestors: readonly string[]): void => {
    if (visited.has(name)) return;
    for (const { path, target } of targetsOf(providers.get(name))) {
      const nextName = target.slice(0, target.indexOf("/"));
      const trail = [...ancestors, name];
      if (!trail.includes(nextName)) visit(nextName, trail);
      else {
        const cycle = [...trail.slice(trail.indexOf(nextName)), nextName].join(" → ");
        issues.push(createIssue(value, `forms a cycle: ${cycle}`, "Remove one of them.", [name, ...path]));
      }
    }
    visited.add(name);
  };
  for (const name of providers.keys()) visit(name, []);
});

const targetsOf = (
  provider: Fields | undefined,
): readonly { readonly path: readonly string[]; readonly target: string }[] => [
  ...(provider?.models ?? []).map((target) => ({ path: ["models"], target })),
  ...Object.entries(provider?.routes ?? {}).map(([prefix, target]) => ({ path: ["routes", prefix], target })),
];

export const toProvider = ({ kind, base_url, api_key, retries, models, routes }: Fields): ProviderConfig => ({
  kind,
  ...(base_url === undefined ? {} : { baseUrl: base_url }),
  ...(api_key === undefined ? {} : { apiKey: api_key }),
  ...(retries === undefined ? {} : { retries }),
  ...(models === undefined ? {} : { models }),
  ...(routes === undefined ? {} : { routes: new Map(Object.entries(routes)) }),
});

/** Limits and abilities of a model. Absent values are those of the built-in data. */
export interface OwnModelInfo {
  readonly context?: number;
  readonly output?: number;
  readonly sees?: boolean;
  readonly hears?: boolean;
  readonly documents?: boolean;
  readonly thinks?: boolean;
  readonly tools?: boolean;
  readonly pictureEdge?: number;
  readonly pictureBytes?: number;
}

const TOKENS_ERROR = "must be a whole number of tokens from 1 to 100000000";
const tokens = z.int(TOKENS_ERROR).min(1, TOKENS_ERROR).max(100_000_000, TOKENS_ERROR).exactOptional();
const ability = z.boolean().exactOptional();
const EDGE_ERROR = "must be a whole number of pixels from 64 to 8000";
const PICTURE_ERROR = "must be a whole number of bytes from 10000 to 8000000";

export const ModelsText = z.record(
  z.string().regex(/^[a-z][a-z0-9-]{0,63}\/\S*$/, "is neither provider/model nor a prefix of such names"),
  z.strictObject({
    context: tokens,
    output: tokens,
    sees: ability,
    hears: ability,
    documents: ability,
    thinks: ability,
    tools: ability,
    picture_edge: z.int(EDGE_ERROR).min(64, EDGE_ERROR).max(8000, EDGE_ERROR).exactOptional(),
    picture_bytes: z.int(PICTURE_ERROR).min(10_000, PICTURE_ERROR).max(8_000_000, PICTURE_ERROR).exactOptional(),
  }),
);

export const toOwnModels = (models: z.infer<typeof ModelsText>): ReadonlyMap<string, OwnModelInfo> =>
  new Map(
    Object.entries(models).map(([name, { picture_edge: pictureEdge, picture_bytes: pictureBytes, ...info }]) => [
      name,
      {
        ...info,
        ...(pictureEdge === undefined ? {} : { pictureEdge }),
        ...(pictureBytes === undefined ? {} : { pictureBytes }),
      },
    ]),
  );
