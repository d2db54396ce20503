/** What a person has chosen and typed so far about a model, and what that comes to. A key is never part of it: a draft may be stored. */
import { type CreateProvider, DEFAULT_MODEL, type KnownProvider } from "@hearth/protocol";
import { findSource, firstSource, type Offers, OFFLINE, type Source, sourcesOf } from "./sources.ts";

export interface ModelDraft {
  /** Absent: nobody chose yet. */
  readonly source?: string;
  readonly vendor?: string;
  readonly address?: string;
  /** As typed. Absent: what the source suggests. */
  readonly model?: string;
}

/** The draft that stands for `provider/model`. */
export const toDraft = (model: string | undefined): ModelDraft => {
  if (model === undefined) return {};
  const slash = model.indexOf("/");
  const provider = model.slice(0, slash);
  return provider === OFFLINE
    ? { source: "offline" }
    : { source: `provider:${provider}`, model: model.slice(slash + 1) };
};

/** Another source, another vendor: the model's name belonged to the one before. */
export const chooseSource = ({ vendor, address }: ModelDraft, source: string): ModelDraft => ({
  source,
  ...(vendor === undefined ? {} : { vendor }),
  ...(address === undefined ? {} : { address }),
});
export const chooseVendor = (draft: ModelDraft, vendor: string): ModelDraft => {
  const { model: _model, ...rest } = draft;
  return { ...rest, vendor };
};

/** `undefined` while nothing is chosen and it is not known yet what there is, so that no choice jumps under the hand. */
export const sourceOf = (draft: ModelDraft, offers: Offers, isAsking: boolean): Source | undefined => {
  const sources = sourcesOf(offers);
  return (
    findSource(sources, draft.source) ?? (isAsking || draft.source !== undefined ? undefined : firstSource(sources))
  );
};

export const vendorOf = (draft: ModelDraft, known: readonly KnownProvider[]): KnownProvider | undefined =>
  known.find(({ name }) => name === draft.vendor) ?? known[0];

/** The model's name as the field shows it. */
export const modelOf = (draft: ModelDraft, source: Source | undefined, known: readonly KnownProvider[]): string => {
  if (source?.origin.kind === "offline") return DEFAULT_MODEL.slice(OFFLINE.length + 1);
  return draft.model ?? suggest(draft, source, known) ?? "";
};

const suggest = (
  draft: ModelDraft,
  source: Source | undefined,
  known: readonly KnownProvider[],
): string | undefined => {
  switch (source?.origin.kind) {
    case "provider":
      return source.origin.provider.suggestedModel;
    case "found":
      return source.origin.server.models[0];
    case "key":
      return vendorOf(draft, known)?.suggestedModel;
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

/** What has to be there before the model can be called. */
export type Plan =
  | { readonly kind: "there"; readonly name: string }
  | { readonly kind: "make"; readonly provider: CreateProvider }
  | { readonly kind: "incomplete"; readonly problem: Problem };

export const planOf = (draft: ModelDraft, source: Source | undefined, key: string, offers: Offers): Plan => {
  switch (source?.origin.kind) {
    case "provider":
      return { kind: "there", name: source.origin.provider.name };
    case "offline":
      return { kind: "there", name: OFFLINE };
    case "found": {
      const { name, kind, baseUrl } = source.origin.server;
      return { kind: "make", provider: { name, kind, baseUrl } };
    }
    case "key":
      return planKey(draft, key.trim(), offers);
    case "server":
      return planServer(draft, key.trim());
    case undefined:
      return incomplete("source", "Choose one.");
  }
};

const planKey = (draft: ModelDraft, key: string, { known, providers }: Offers): Plan => {
  const vendor = vendorOf(draft, known);
  if (vendor === undefined) return incomplete("source", "Choose one.");
  const { name, kind, baseUrl } = vendor;
  if (key === "") {
    return keptOf(vendor, providers) === undefined ? incomplete("key", "Paste the key here.") : { kind: "there", name };
  }
  if (!isKey(key)) return incomplete("key", NOT_A_KEY);
  return { kind: "make", provider: { name, kind, ...(baseUrl === undefined ? {} : { baseUrl }), key } };
};

/** The provider that already has a key of this vendor. */
export const keptOf = (vendor: KnownProvider, providers: Offers["providers"]): { readonly name: string } | undefined =>
  providers.find(({ name, ready, source }) => name === vendor.name && ready && source === "config");

const planServer = (draft: ModelDraft, key: string): Plan => {
  const baseUrl = toAddress(draft.address ?? "");
  if (baseUrl === undefined) return incomplete("address", "Write its address, such as http://127.0.0.1:8080/v1.");
  if (key !== "" && !isKey(key)) return incomplete("key", NOT_A_KEY);
  const provider = { name: nameForHost(new URL(baseUrl)), kind: "openai", baseUrl };
  return { kind: "make", provider: key === "" ? provider : { ...provider, key } };
};

/** What could not stand in a header is no key: most often more than the key was copied. */
const isKey = (text: string): boolean => /^[\x21-\x7e]{1,500}$/.test(text);
const NOT_A_KEY = "This is not a key: a key is one word without spaces. Copy it again.";

/** What is missing or wrong about the model's own name. */
export const checkModel = (model: string): Problem | undefined => {
  if (model === "") return { field: "model", text: "Choose a model." };
  if (/\s/.test(model) || model.length > 120) return { field: "model", text: "A model's name is one word." };
  return undefined;
};

const incomplete = (field: Problem["field"], text: string): Plan => ({ kind: "incomplete", problem: { field, text } });

/** An address as it is typed by hand: the scheme may be missing, a last slash be too much. */
export const toAddress = (typed: string): string | undefined => {
  const text = typed.trim();
  if (text === "") return undefined;
  const isLocal = /^(localhost|\[|\d+\.\d+\.\d+\.\d+)/.test(text);
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? "http" : "https"}://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? address.replace(/\/+$/, "")
    : undefined;
};

/** A provider's name for a server that has none: after its host. */
const nameForHost = ({ hostname, port }: URL): string => {
  const host = hostname.replace(/^(api|www)\./, "");
  const name = /^[a-z]/.test(host) ? host : "local";
  return `${name}${port === "" ? "" : `-${port}`}`.replace(/[^a-z0-9]+/g, "-").slice(0, 48);
};
