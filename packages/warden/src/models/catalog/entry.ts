/** One provider as it is set up, and its key: read where the reference points, never shown, and asked for in words where it is missing. */
import {
  nearest,
  readReference,
  type ProviderConfig,
  type ParsedConfig,
  type ReferenceSources,
} from "../../kernel/index.ts";
import { HearthError, type ProviderInfo } from "@hearth/protocol";
import { knownVendors, vendorUrls } from "./known.ts";

export interface Entry extends ProviderConfig {
  readonly name: string;
  readonly source: ProviderInfo["source"];
}

export type Key =
  /** None is needed, or here it is. */
  | { readonly kind: "ready"; readonly key?: string; readonly detail: string }
  | { readonly kind: "missing"; readonly detail: string; readonly hint: string };

/** Where references lead. */
export type KeySources = ReferenceSources;

/** The provider that is always there. Its kind has the same name. */
export const OFFLINE = "offline";
/** Kinds whose vendor, without another `base_url`, answers nobody without a key. */
const VENDOR_KINDS: ReadonlySet<string> = new Set(knownVendors.map((known) => known.kind));

export const readKey = async ({ kind, baseUrl, apiKey, name }: Entry, sources: KeySources): Promise<Key> => {
  if (apiKey === undefined) {
    const missing = VENDOR_KINDS.has(kind) && baseUrl === undefined;
    return missing
      ? noKey(name, kind)
      : { kind: "ready", detail: kind === OFFLINE ? "no language model; needs no key" : "no key" };
  }
  const url = baseUrl ?? vendorUrls.get(kind);
  if (url === undefined && apiKey.kind === "secret") {
    return {
      kind: "missing",
      detail: `secret:${apiKey.name} goes to no known host`,
      hint: `Write the provider's base_url under [providers.${name}] in the config.`,
    };
  }
  const { where, text, lack, fix } = await readReference(apiKey, sources, url === undefined ? undefined : new URL(url));
  if (text === undefined) return { kind: "missing", detail: `${where} ${lack}`, hint: fix };
  // What could not stand in a header is no key, but perhaps a whole file of other secrets.
  if (/^[\x21-\x7e]+$/.test(text)) return { kind: "ready", key: text, detail: `key from ${where}` };
  return { kind: "missing", detail: `${where} does not hold a key`, hint: fix };
};

const noKey = (name: string, kind: string): Key => {
  const variable = knownVendors.find((known) => known.kind === kind && known.baseUrl === undefined)?.variable ?? "NAME";
  return {
    kind: "missing",
    detail: "no key is set",
    hint: `Write api_key = "env:${variable}" under [providers.${name}] in the config.`,
  };
};

export const unknownProvider = (message: string): HearthError =>
  new HearthError("provider.unknown", message, {
    hint: "See `hearth provider list`, or add one: hearth provider add NAME",
  });

export const noSuchProvider = (name: string, entries: ReadonlyMap<string, Entry>): HearthError =>
  unknownProvider(`There is no provider "${name}". There are: ${[...entries.keys()].join(", ")}.`);

/**
 * What the config names and nobody knows, in words for a person, with the line: kinds of providers, and models of none. No refusal: the house
 * starts, and only who uses it fails.
 */
export const remarksOn = ({ config, lineOf }: ParsedConfig, kinds: readonly string[]): readonly string[] => {
  const names = [...new Set([...config.providers.keys(), OFFLINE, ...knownVendors.map(({ name }) => name)])];
  const say = (path: readonly string[], what: string, word: string, known: readonly string[]): string => {
    const meant = nearest(word, known);
    const hint = meant === undefined ? `There are: ${known.join(", ")}.` : `Did you mean "${meant}"?`;
    return `${path.join(".")} ${what}; hearth.toml line ${lineOf(path) ?? 1}. ${hint}`;
  };
  return [
    ...[...config.providers]
      .filter(([, { kind }]) => !kinds.includes(kind))
      .map(([name, { kind }]) => say(["providers", name, "kind"], `is no kind of provider: "${kind}"`, kind, kinds)),
    ...[...config.agents].flatMap(([handle, { model }]) => {
      const [name = ""] = model?.split("/") ?? [];
      if (model === undefined || names.includes(name)) return [];
      return [say(["agents", handle, "model"], `names no provider that there is: "${name}"`, name, names)];
    }),
  ];
};
