/**
 * Finds the models that may answer for a name: the model itself, all models of a chain, or the
 * target of a router. Also finds a model in a list by its name.
 */
import { isLoopback, type CompositeKind } from "../../kernel/index.ts";
import { isComposite } from "../resilience/composites.ts";
import { type Entry, OFFLINE } from "../catalog/entry.ts";
import { knownVendors } from "../catalog/known.ts";
import { findRoute } from "../resilience/router.ts";
import { modelNameOf, type ModelTarget, toModelTarget } from "../catalog/target.ts";

export interface CandidateModel {
  /** `provider/model`. */
  readonly name: string;
  /** The vendor's own name for it. */
  readonly model: string;
  /** The vendor's name in `known.ts`, if it is known. */
  readonly vendor?: string;
  /** `built-in`: not a language model. `local`: runs on this machine. */
  readonly location: "built-in" | "local" | "elsewhere";
}

/** Returns the models that may answer. A missing provider has none. */
export const candidateModels = (
  models: readonly string[],
  entries: ReadonlyMap<string, Entry>,
): readonly CandidateModel[] => {
  const candidates = new Map<string, CandidateModel>();
  // The config allows no cycles.
  const visit = (target: ModelTarget | undefined): void => {
    const entry = target === undefined ? undefined : entries.get(target.provider);
    if (target === undefined || entry === undefined) return;
    if (isComposite(entry.kind)) for (const part of targetsOf[entry.kind](entry, target.model)) visit(part);
    else candidates.set(modelNameOf(target), toCandidate(target, entry));
  };
  for (const model of models) visit(toModelTarget(model, ""));
  return [...candidates.values()];
};

const targetsOf: Readonly<
  Record<CompositeKind, (entry: Entry, model: string) => readonly (ModelTarget | undefined)[]>
> = {
  reliable: ({ models = [] }, model) => models.map((target) => toModelTarget(target, model)),
  router: ({ routes = new Map() }, model) => [findRoute(routes, model)],
};

/** Returns the model of a provider with a wire. */
export const toCandidate = (target: ModelTarget, entry: Entry): CandidateModel => {
  const url = entry.baseUrl === undefined ? undefined : (URL.parse(entry.baseUrl) ?? undefined);
  // By URL, because the house may give a provider any name.
  const vendor = VENDORS.get(toKey(entry.kind, url?.host));
  return {
    name: modelNameOf(target),
    model: target.model,
    ...(vendor === undefined ? {} : { vendor }),
    location: entry.kind === OFFLINE ? "built-in" : isLocal(url) ? "local" : "elsewhere",
  };
};

const isLocal = (url: URL | undefined): boolean =>
  url !== undefined && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));

const OPENAI_HOST = "api.openai.com";

/**
 * Returns a model of a server that is not a provider, such as an embedder. The URL alone identifies
 * its vendor.
 */
export const candidateAt = (kind: string, model: string, baseUrl: string): CandidateModel => {
  const url = URL.parse(baseUrl) ?? undefined;
  const knownVendor = knownVendors.find((vendor) => hostOf(vendor.baseUrl) === url?.host)?.name;
  const vendor = url?.host === OPENAI_HOST ? "openai" : knownVendor;
  return {
    name: `${kind}/${model}`,
    model,
    ...(vendor === undefined ? {} : { vendor }),
    location: isLocal(url) ? "local" : "elsewhere",
  };
};

const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : URL.parse(url)?.host);

const toKey = (kind: string, host: string | undefined): string => `${kind} ${host ?? ""}`;

/**
 * The vendors by URL, computed once, because every turn uses them. If two vendors have one URL, the
 * first one counts.
 */
const VENDORS: ReadonlyMap<string, string> = new Map(
  knownVendors.map(({ kind, baseUrl, name }) => [toKey(kind, hostOf(baseUrl)), name] as const).toReversed(),
);

/**
 * Returns the entry whose name is the longest prefix of `model` that leaves only a version. Vendors
 * write both 5.5 and 5-5.
 */
export const findByName = <Entry extends readonly [name: string, ...unknown[]]>(
  entries: readonly Entry[],
  model: string,
): Entry | undefined => {
  const name = normalizeName(model);
  let longestMatch: Entry | undefined;
  for (const entry of entries) {
    const isLonger = entry[0].length > (longestMatch?.[0].length ?? 0);
    if (isLonger && name.startsWith(normalizeName(entry[0])) && VERSION.test(name.slice(entry[0].length)))
      longestMatch = entry;
  }
  return longestMatch;
};

/** OpenRouter's model names begin with the vendor. */
const OPENROUTER = "openrouter";
const OPENROUTER_VENDORS: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  openai: "openai",
  google: "gemini",
  mistralai: "mistral",
  deepseek: "deepseek",
  "x-ai": "xai",
};

/** Returns the vendor of the model, and the model's name there. */
export const vendorModelOf = (vendor: string, model: string): { readonly vendor: string; readonly model: string } => {
  if (vendor !== OPENROUTER) return { vendor, model };
  const slash = model.indexOf("/");
  return { vendor: OPENROUTER_VENDORS[model.slice(0, slash)] ?? "", model: model.slice(slash + 1) };
};

/** Returns the value of the longest prefix of this name. */
export const byPrefix = <Value>(name: string, values: ReadonlyMap<string, Value>): Value | undefined => {
  let longestMatch: { readonly length: number; readonly value: Value } | undefined;
  for (const [prefix, value] of values)
    if (name.startsWith(prefix) && prefix.length >= (longestMatch?.length ?? 0))
      longestMatch = { length: prefix.length, value };
  return longestMatch?.value;
};

const normalizeName = (model: string): string => model.replaceAll(".", "-");
/**
 * Matches suffixes that do not change the model: dates, numbers of three or more digits, `latest`.
 * Any other word or small number means a different model.
 */
const VERSION = /^(-(latest|preview|exp)|[-@]\d{4}-\d{2}-\d{2}|-\d{2}-\d{4}|-\d{2}-\d{2}|[-@]\d{3,8})*$/;
