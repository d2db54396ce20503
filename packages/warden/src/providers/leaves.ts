/** The models that may answer for a name: its own, or all of a chain's, or the one that a router leads to. */
import type { CompositeKind } from "../config/provider-text.ts";
import { isLoopback } from "../config/schema.ts";
import { isComposite } from "./composites.ts";
import { type Entry, OFFLINE } from "./entry.ts";
import { knownVendors } from "./known.ts";
import { placeOf } from "./router.ts";
import { nameOf, type Place, toPlace } from "./target.ts";

export interface Leaf {
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
export const leavesOf = (models: readonly string[], entries: ReadonlyMap<string, Entry>): readonly Leaf[] => {
  const leaves = new Map<string, Leaf>();
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

const toLeaf = (place: Place, entry: Entry): Leaf => {
  const vendor = vendorOf(entry);
  const host = entry.baseUrl === undefined ? undefined : URL.parse(entry.baseUrl)?.hostname.replace(/^\[|\]$/g, "");
  return {
    ...{ name: nameOf(place), model: place.model },
    ...(vendor === undefined ? {} : { vendor }),
    runs: entry.kind === OFFLINE ? "built-in" : host !== undefined && isLoopback(host) ? "local" : "elsewhere",
  };
};

const OPENAI_HOST = "api.openai.com";

/** A model of a server that is no provider: one that makes vectors. It speaks no provider's wire, so the vendor is known by the address alone. */
export const leafAt = (kind: string, model: string, baseUrl: string): Leaf => {
  const url = URL.parse(baseUrl);
  const known = knownVendors.find((one) => hostOf(one.baseUrl) === url?.host)?.name;
  const vendor = url?.host === OPENAI_HOST ? "openai" : known;
  const host = url?.hostname.replace(/^\[|\]$/g, "");
  return {
    ...{ name: `${kind}/${model}`, model },
    ...(vendor === undefined ? {} : { vendor }),
    runs: host !== undefined && isLoopback(host) ? "local" : "elsewhere",
  };
};

/** By its address: what a provider is called here is for the house to say. */
const vendorOf = ({ kind, baseUrl }: Entry): string | undefined =>
  knownVendors.find((known) => known.kind === kind && hostOf(known.baseUrl) === hostOf(baseUrl))?.name;

const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : URL.parse(url)?.host);
