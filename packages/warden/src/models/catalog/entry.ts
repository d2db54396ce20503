/**
 * One configured provider and its key. The key is read from its reference and never shown. If it is
 * missing, the entry explains why.
 */
import { readReference, type ProviderConfig, type ParsedConfig, type ReferenceSources } from "../../kernel/index.ts";
import { HearthError, type ProviderInfo } from "@hearth/protocol";
import { suggest } from "@hearth/protocol/nearest";
import { knownVendors, vendorUrls } from "./known.ts";

export interface Entry extends ProviderConfig {
  readonly name: string;
  readonly source: ProviderInfo["source"];
}

export type Key =
  /** The key is present, or the provider needs none. */
  | { readonly kind: "ready"; readonly key?: string; readonly detail: string }
  | { readonly kind: "missing"; readonly detail: string; readonly hint: string };

/** Resolves references to keys. */
export type KeySources = ReferenceSources;

/** The built-in provider. Its kind has the same name. */
export const OFFLINE = "offline";
/** Whether the key is in the file that the house keeps for this provider. */
export const isKeyStored = ({ name, source, apiKey }: Entry): boolean =>
  source === "config" && apiKey?.kind === "file" && apiKey.path === `keys/${name}`;

export const keyNotStoredError = ({ name, apiKey }: Pick<Entry, "name" | "apiKey">): HearthError => {
  const location =
    apiKey === undefined
      ? "no key is set"
      : `its key comes from ${apiKey.kind}:${apiKey.kind === "file" ? apiKey.path : apiKey.name}`;
  return new HearthError("config.invalid", `The house does not store the key of "${name}": ${location}.`, {
    hint: "Change the key at that place, or remove the provider and add it with the new key.",
  });
};

/** Kinds whose vendor requires a key unless `base_url` is set. */
const VENDOR_KINDS: ReadonlySet<string> = new Set(knownVendors.map((vendor) => vendor.kind));

export const readKey = async ({ kind, baseUrl, apiKey, name }: Entry, sources: KeySources): Promise<Key> => {
  if (apiKey === undefined) {
    const isMissing = VENDOR_KINDS.has(kind) && baseUrl === undefined;
    return isMissing
      ? toMissingKey(name, kind)
      : { kind: "ready", detail: kind === OFFLINE ? "no language model; needs no key" : "no key" };
  }
  const url = baseUrl ?? vendorUrls.get(kind);
  if (url === undefined && apiKey.kind === "secret") {
    return {
      kind: "missing",
      detail: `secret:${apiKey.name} has no known destination host`,
      hint: `Add the provider's base_url under [providers.${name}] in the config.`,
    };
  }
  const { reference, text, problem, remedy } = await readReference(
    apiKey,
    sources,
    url === undefined ? undefined : new URL(url),
  );
  if (text === undefined) return { kind: "missing", detail: `${reference} ${problem}`, hint: remedy };
  // A text that a header cannot contain is not a key. It may be a whole file of other secrets, so
  // it is not shown.
  if (/^[\x21-\x7e]+$/.test(text)) return { kind: "ready", key: text, detail: `key from ${reference}` };
  return { kind: "missing", detail: `${reference} does not contain a valid key`, hint: remedy };
};

const toMissingKey = (name: string, kind: string): Key => {
  const variable =
    knownVendors.find((vendor) => vendor.kind === kind && vendor.baseUrl === undefined)?.variable ?? "NAME";
  return {
    kind: "missing",
    detail: "no key is set",
    hint: `Add api_key = "env:${variable}" under [providers.${name}] in the config.`,
  };
};

export const unknownProviderError = (message: string): HearthError =>
  new HearthError("provider.unknown", message, {
    hint: "List the providers with `hearth provider list`, or add one with: hearth provider add NAME",
  });

export const noSuchProviderError = (name: string, entries: ReadonlyMap<string, Entry>): HearthError =>
  unknownProviderError(`Unknown provider "${name}". Available: ${[...entries.keys()].join(", ")}.`);

/**
 * Returns warnings about unknown names in the config, with their lines: kinds of providers, and
 * providers of models. The house starts in spite of them, and only calls of these models fail.
 */
export const findConfigWarnings = ({ config, lineOf }: ParsedConfig, kinds: readonly string[]): readonly string[] => {
  const names = [...new Set([...config.providers.keys(), OFFLINE, ...knownVendors.map(({ name }) => name)])];
  const describeWarning = (
    path: readonly string[],
    message: string,
    name: string,
    knownNames: readonly string[],
  ): string => `${path.join(".")} ${message}; hearth.toml line ${lineOf(path) ?? 1}. ${suggest(name, knownNames)}`;
  return [
    ...[...config.providers]
      .filter(([, { kind }]) => !kinds.includes(kind))
      .map(([name, { kind }]) =>
        describeWarning(["providers", name, "kind"], `has an unknown provider kind: "${kind}"`, kind, kinds),
      ),
    ...[...config.agents].flatMap(([handle, { model }]) => {
      const [name = ""] = model?.split("/") ?? [];
      if (model === undefined || names.includes(name)) return [];
      return [describeWarning(["agents", handle, "model"], `names an unknown provider: "${name}"`, name, names)];
    }),
  ];
};

/** Refuses a URL with a password, which would appear in messages and logs. */
export const checkBaseUrl = (baseUrl: string | undefined): void => {
  if (baseUrl === undefined) return;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new HearthError("config.invalid", "base_url must begin with http:// or https://.", {
      hint: "For example https://api.example.com/v1.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new HearthError("config.invalid", "base_url must not contain a user name or a password.", {
      hint: "Set the key as api_key, by reference.",
    });
  }
};

/**
 * Throws `auth.denied` unless this is a known vendor under its own name and at its own address.
 * Callers with the right `providers` manage only those. The name of a provider then always leads to
 * the same address, so the prompts of agents that use it are not sent elsewhere.
 */
export const requireVendor = (provider: {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl?: string | undefined;
}): void => {
  const { name, kind, baseUrl } = provider;
  const vendor = knownVendors.find((vendor) => vendor.name === name);
  if (vendor?.kind === kind && vendor.baseUrl === baseUrl) return;
  throw new HearthError("auth.denied", `"${name}" is not a known vendor at its own address.`, {
    hint: "The right providers covers the vendors that need only a key. Ask an administrator for others.",
  });
};
