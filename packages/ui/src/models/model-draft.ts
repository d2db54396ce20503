/**
 * The input of the model form, and the setup that it implies. It never contains a key, so it can be
 * stored.
 */
import { type AgentRecord, type CreateProvider, DEFAULT_MODEL, type KnownProvider } from "@hearth/protocol";
import { findModelInUse } from "./model-in-use.ts";
import { findSource, findFirstSource, type Offers, OFFLINE, type Source, sourcesOf } from "./sources.ts";
import * as texts from "./text.ts";

export interface ModelDraft {
  /** Undefined until the user selects a source. */
  readonly source?: string;
  readonly vendor?: string;
  readonly address?: string;
  /** The model name that the user typed. Undefined: the source's suggestion applies. */
  readonly model?: string;
}

/** Returns the draft for a model name of the form `provider/model`. */
export const toDraft = (model: string | undefined): ModelDraft => {
  if (model === undefined) return {};
  const slash = model.indexOf("/");
  const provider = model.slice(0, slash);
  return provider === OFFLINE
    ? { source: "offline" }
    : { source: `provider:${provider}`, model: model.slice(slash + 1) };
};

/** Changes the source or vendor, and clears the model name that belonged to the previous one. */
export const chooseSource = ({ vendor, address }: ModelDraft, source: string): ModelDraft => ({
  source,
  ...(vendor === undefined ? {} : { vendor }),
  ...(address === undefined ? {} : { address }),
});
export const chooseVendor = (draft: ModelDraft, vendor: string): ModelDraft => {
  const { model: _model, ...otherFields } = draft;
  return { ...otherFields, vendor };
};

/**
 * Returns the selected source, or a default. While sources are loading there is no default, because
 * it could change when the user is about to press a button.
 */
export const sourceOf = (draft: ModelDraft, offers: Offers, isLoading: boolean): Source | undefined => {
  const sources = sourcesOf(offers);
  const chosenSource = findSource(sources, draft.source);
  return chosenSource ?? (isLoading || draft.source !== undefined ? undefined : findFirstSource(sources));
};

export const vendorOf = (draft: ModelDraft, knownProviders: readonly KnownProvider[]): KnownProvider | undefined =>
  knownProviders.find(({ name }) => name === draft.vendor) ?? knownProviders[0];

/** The data from which a model is suggested. */
export interface Suggestions {
  readonly knownProviders: readonly KnownProvider[];
  readonly agents: Iterable<AgentRecord>;
}

/** Returns the model name to show in the field. */
export const modelOf = (draft: ModelDraft, source: Source | undefined, suggestions: Suggestions): string => {
  if (source?.origin.kind === "offline") return DEFAULT_MODEL.slice(OFFLINE.length + 1);
  return draft.model ?? suggest(draft, source, suggestions) ?? "";
};

const suggest = (
  draft: ModelDraft,
  source: Source | undefined,
  { knownProviders, agents }: Suggestions,
): string | undefined => {
  switch (source?.origin.kind) {
    case "provider":
      return source.origin.provider.suggestedModel ?? findModelInUse(agents, source.origin.provider.name);
    case "found":
      return source.origin.server.models[0];
    case "key":
      return vendorOf(draft, knownProviders)?.suggestedModel;
    case "server":
    case "offline":
    case undefined:
      return undefined;
  }
};

export interface Problem {
  readonly field: "source" | "key" | "address" | "model";
  readonly text: string;
}

/** The setup that is needed before the model can be called. */
export type Plan =
  | { readonly kind: "existing"; readonly name: string }
  | { readonly kind: "create"; readonly provider: CreateProvider }
  | { readonly kind: "incomplete"; readonly problem: Problem };

export const planOf = (draft: ModelDraft, source: Source | undefined, key: string, offers: Offers): Plan => {
  switch (source?.origin.kind) {
    case "provider":
      return { kind: "existing", name: source.origin.provider.name };
    case "offline":
      return { kind: "existing", name: OFFLINE };
    case "found": {
      const { name, kind, baseUrl } = source.origin.server;
      return { kind: "create", provider: { name, kind, baseUrl } };
    }
    case "key":
      return planVendor(draft, key.trim(), offers);
    case "server":
      return planServer(draft, key.trim());
    case undefined:
      return createIncompletePlan("source", texts.selectAModelSource);
  }
};

const planVendor = (draft: ModelDraft, key: string, { knownProviders, providers }: Offers): Plan => {
  const vendor = vendorOf(draft, knownProviders);
  if (vendor === undefined) return createIncompletePlan("source", texts.selectAModelSource);
  const { name, kind, baseUrl } = vendor;
  if (key === "") {
    return findProviderWithKey(vendor, providers) === undefined
      ? createIncompletePlan("key", texts.enterAnApiKey)
      : { kind: "existing", name };
  }
  if (!isKey(key)) return createIncompletePlan("key", texts.invalidKey);
  return { kind: "create", provider: { name, kind, ...(baseUrl === undefined ? {} : { baseUrl }), key } };
};

/** Returns the configured provider that has a key of this vendor. */
export const findProviderWithKey = (
  vendor: KnownProvider,
  providers: Offers["providers"],
): { readonly name: string } | undefined =>
  providers.find(({ name, ready, source }) => name === vendor.name && ready && source === "config");

const planServer = (draft: ModelDraft, key: string): Plan => {
  const baseUrl = toAddress(draft.address ?? "");
  if (baseUrl === undefined) return createIncompletePlan("address", texts.enterAnAddress);
  if (key !== "" && !isKey(key)) return createIncompletePlan("key", texts.invalidKey);
  const provider = { name: nameForHost(new URL(baseUrl)), kind: "openai", baseUrl };
  return { kind: "create", provider: key === "" ? provider : { ...provider, key } };
};

/**
 * Whether the text can be a key, which is sent in an HTTP header. Most invalid keys contain extra
 * copied text.
 */
const isKey = (text: string): boolean => /^[\x21-\x7e]{1,500}$/.test(text);

const MAX_MODEL_LENGTH = 120;

/** Returns the error of a model name, if there is one. */
export const checkModel = (model: string): Problem | undefined => {
  if (model === "") return { field: "model", text: texts.chooseAModel };
  if (/\s/.test(model) || model.length > MAX_MODEL_LENGTH) return { field: "model", text: texts.invalidModelName };
  return undefined;
};

const createIncompletePlan = (field: Problem["field"], text: string): Plan => ({
  kind: "incomplete",
  problem: { field, text },
});

/** Normalizes a typed address: adds a missing scheme and removes a trailing slash. */
export const toAddress = (input: string): string | undefined => {
  const text = input.trim();
  if (text === "") return undefined;
  const isLocal = /^(localhost|\[|\d+\.\d+\.\d+\.\d+)/.test(text);
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? "http" : "https"}://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? address.replace(/\/+$/, "")
    : undefined;
};

/** Derives the name of a provider from its host. */
const nameForHost = ({ hostname, port }: URL): string => {
  const host = hostname.replace(/^(api|www)\./, "");
  const name = /^[a-z]/.test(host) ? host : "local";
  return `${name}${port === "" ? "" : `-${port}`}`.replace(/[^a-z0-9]+/g, "-").slice(0, 48);
};
