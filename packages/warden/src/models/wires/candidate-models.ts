/**
 * Finds the models that may answer for a name: the model itself, all of a chain, or the target of a
 * router.
 */
import { isLoopback, type CompositeKind } from "../../kernel/index.ts";
import { isComposite } from "../resilience/composites.ts";
import { type Entry, OFFLINE } from "../catalog/entry.ts";
import { knownVendors } from "../catalog/known.ts";
import { placeOf } from "../resilience/router.ts";
import { nameOf, type Place, toPlace } from "../catalog/target.ts";

export interface CandidateModel {
  /** `provider/model`. */
  readonly name: string;
  /** The vendor's own name for it. */
  readonly model: string;
  /** The vendor's name in `known.ts`, if it is known. */
  readonly vendor?: string;
  /** `built-in`: not a language model. `local`: runs on this machine. */
  readonly runs: "built-in" | "local" | "elsewhere";
}

/** Missing providers have no candidates. */
export const candidateModels = (
  models: readonly string[],
  entries: ReadonlyMap<string, Entry>,
): readonly CandidateModel[] => {
  const leaves = new Map<string, CandidateModel>();
  // The config allows no cycles.
  const visit = (place: Place | undefined): void => {
    const entry = place === undefined ? undefined : entries.get(place.provider);
    if (place === undefined || entry === undefined) return;
    if (isComposite(entry.kind)) for (const part of parts[entry.kind](entry, place.model)) visit(part);
    else leaves.set(nameOf(place), toLeaf(place, entry));
  };
  for (const model of models) visit(toPlace(model, ""));
  return [...leaves.values()];
};

const parts: Readonly<Record<CompositeKind, (entry: Entry, model: string) => readonly (Place | undefined)[]>> = {
  reliable: ({ models = [] }, model) => models.map((target) => toPlace(target, model)),
  router: ({ routes = new Map() }, model) => [placeOf(routes, model)],
};

const toLeaf = (place: Place, entry: Entry): CandidateModel => {
  const url = entry.baseUrl === undefined ? undefined : (URL.parse(entry.baseUrl) ?? undefined);
  // By URL, because the house may give a provider any name.
  const vendor = VENDORS.get(toKey(entry.kind, url?.host));
  return {
    name: nameOf(place),
    model: place.model,
    ...(vendor === undefined ? {} : { vendor }),
    runs: entry.kind === OFFLINE ? "built-in" : isLocal(url) ? "local" : "elsewhere",
  };
};

const isLocal = (url: URL | undefined): boolean =>
  url !== undefined && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));

const OPENAI_HOST = "api.openai.com";

/**
 * A model of a server that is not a provider, such as an embedder. Its vendor is recognized by the
 * URL alone.
 */
export const candidateAt = (kind: string, model: string, baseUrl: string): CandidateModel => {
  const url = URL.parse(baseUrl) ?? undefined;
  const known = knownVendors.find((one) => hostOf(one.baseUrl) === url?.host)?.name;
  const vendor = url?.host === OPENAI_HOST ? "openai" : known;
  return {
    name: `${kind}/${model}`,
    model,
    ...(vendor === undefined ? {} : { vendor }),
    runs: isLocal(url) ? "local" : "elsewhere",
  };
};

const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : URL.parse(url)?.host);

const toKey = (kind: string, host: string | undefined): string => `${kind} ${host ?? ""}`;

/** Precomputed, because every turn uses it. If two vendors have one URL, the first counts. */
const VENDORS: ReadonlyMap<string, string> = new Map(
  knownVendors.map(({ kind, baseUrl, name }) => [toKey(kind, hostOf(baseUrl)), name] as const).toReversed(),
);
