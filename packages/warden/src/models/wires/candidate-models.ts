/** The models that may answer for a name: its own, or all of a chain's, or the one that a router leads to. */
import { isLoopback, type CompositeKind } from "../../kernel/index.ts";
import { isComposite } from "../resilience/composites.ts";
import { type Entry, OFFLINE } from "../catalog/entry.ts";
import { knownVendors } from "../catalog/known.ts";
import { placeOf } from "../resilience/router.ts";
import { nameOf, type Place, toPlace } from "../catalog/target.ts";

export interface CandidateModel {
  /** `provider/model`. */
  readonly name: string;
  /** The vendor's own name of it. */
  readonly model: string;
  /** Whose it is, where that is known: a name of `known.ts`. */
  readonly vendor?: string;
  /** `built-in`: no language model. `local`: it runs on this machine. */
  readonly runs: "built-in" | "local" | "elsewhere";
}

/** Providers that are not there answer nothing, and have no leaves. */
export const candidateModels = (
  models: readonly string[],
  entries: ReadonlyMap<string, Entry>,
): readonly CandidateModel[] => {
  const leaves = new Map<string, CandidateModel>();
  // The config lets none lead back to itself.
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
  // By its address: what a provider is called here is for the house to say.
  const vendor = VENDORS.get(toKey(entry.kind, url?.host));
  return {
    ...{ name: nameOf(place), model: place.model },
    ...(vendor === undefined ? {} : { vendor }),
    runs: entry.kind === OFFLINE ? "built-in" : isLocal(url) ? "local" : "elsewhere",
  };
};

const isLocal = (url: URL | undefined): boolean =>
  url !== undefined && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));

const OPENAI_HOST = "api.openai.com";

/** A model of a server that is no provider: one that makes vectors. It speaks no provider's wire, so the vendor is known by the address alone. */
export const candidateAt = (kind: string, model: string, baseUrl: string): CandidateModel => {
  const url = URL.parse(baseUrl) ?? undefined;
  const known = knownVendors.find((one) => hostOf(one.baseUrl) === url?.host)?.name;
  const vendor = url?.host === OPENAI_HOST ? "openai" : known;
  return {
    ...{ name: `${kind}/${model}`, model },
    ...(vendor === undefined ? {} : { vendor }),
    runs: isLocal(url) ? "local" : "elsewhere",
  };
};

const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : URL.parse(url)?.host);

const toKey = (kind: string, host: string | undefined): string => `${kind} ${host ?? ""}`;

/** Asked for in every turn. Of two with one address the first counts. */
const VENDORS: ReadonlyMap<string, string> = new Map(
  knownVendors.map(({ kind, baseUrl, name }) => [toKey(kind, hostOf(baseUrl)), name] as const).toReversed(),
);
