/** Lists the possible sources of a model: ready ones, then those that need a key, then the offline helper. */
import { DEFAULT_MODEL, type FoundServer, type KnownProvider, type ProviderInfo } from "@hearth/protocol";
import { hostOf, titleOf } from "../design/vendors.ts";
import * as texts from "./text.ts";

export interface Offers {
  readonly providers: readonly ProviderInfo[];
  readonly foundServers: readonly FoundServer[];
  readonly knownProviders: readonly KnownProvider[];
}

export type SourceOrigin =
  | { readonly kind: "provider"; readonly provider: ProviderInfo }
  | { readonly kind: "found"; readonly server: FoundServer }
  /** A new key of a known vendor. */
  | { readonly kind: "key" }
  /** The address of an OpenAI-compatible server. */
  | { readonly kind: "server" }
  | { readonly kind: "offline" };

export interface Source {
  /** Unique in the list. */
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly badge?: string;
  readonly origin: SourceOrigin;
}

export const OFFLINE = DEFAULT_MODEL.slice(0, DEFAULT_MODEL.indexOf("/"));

export const sourcesOf = ({ providers, foundServers, knownProviders }: Offers): readonly Source[] => {
  const onlineProviders = providers.filter(({ name }) => name !== OFFLINE);
  const readyProviders = onlineProviders.filter((provider) => provider.ready);
  return [
    ...readyProviders.filter(({ source }) => source === "environment").map(fromProvider),
    ...readyProviders.filter(({ source }) => source !== "environment").map(fromProvider),
    ...foundServers.map(fromServer),
    ...onlineProviders.filter((provider) => !provider.ready).map(fromProvider),
    ...(knownProviders.length === 0 ? [] : [fromKnownProviders(knownProviders)]),
    otherServerSource,
    offlineSource,
  ];
};

/** Whether the source must be configured first. */
export const isNew = ({ origin }: Source): boolean =>
  origin.kind === "found" || origin.kind === "key" || origin.kind === "server";

/**
 * Returns the source with this id. A discovered server that has since been configured counts as the
 * same source.
 */
export const findSource = (sources: readonly Source[], id: string | undefined): Source | undefined =>
  sources.find((source) => source.id === id) ??
  sources.find((source) => id?.startsWith("found:") && source.id === `provider:${id.slice("found:".length)}`);

/** Returns the default source: one that works immediately, or else a new key. */
export const findFirstSource = (sources: readonly Source[]): Source | undefined =>
  sources.find(({ origin }) => origin.kind === "found" || (origin.kind === "provider" && origin.provider.ready)) ??
  sources.find(({ id }) => id === "key");

const fromProvider = (provider: ProviderInfo): Source => ({
  id: `provider:${provider.name}`,
  title: titleOf(provider.name),
  detail: describeProvider(provider),
  ...(provider.ready ? {} : { badge: texts.notReady }),
  origin: { kind: "provider", provider },
});

/** Describes where the provider's key is stored, or what is missing. */
export const describeProvider = ({ source, ready: readyProviders, detail, baseUrl }: ProviderInfo): string => {
  const variable = /\benv:(\w+)/.exec(detail)?.[1];
  const hostSuffix = baseUrl === undefined ? "" : texts.atHost(hostOf(baseUrl));
  if (!readyProviders) return `${toSentence(detail.replace(/\b(env|file):/g, ""))}${hostSuffix}`;
  if (source === "environment") return texts.keyFoundIn(variable ?? texts.theEnvironment);
  if (source === "built-in") return toSentence(detail);
  if (variable !== undefined) return `${texts.keyFrom(variable)}${hostSuffix}`;
  return `${detail.startsWith("key") ? texts.keyStoredByHearth : texts.noKeyNeeded}${hostSuffix}`;
};

const fromServer = (server: FoundServer): Source => ({
  id: `found:${server.name}`,
  title: titleOf(server.name),
  detail: texts.foundOnServer(countModels(server.models.length)),
  badge: texts.found,
  origin: { kind: "found", server },
});

export const countModels = (count: number): string =>
  count === 0 ? texts.noModelsYet : count === 1 ? texts.oneModel : texts.modelCount(count);

const fromKnownProviders = (knownProviders: readonly KnownProvider[]): Source => ({
  id: "key",
  title: texts.apiKey,
  detail: knownProviders.map(({ name }) => titleOf(name)).join(", "),
  origin: { kind: "key" },
});

const otherServerSource: Source = {
  id: "server",
  title: texts.openAiEndpoint,
  detail: texts.openAiEndpointDetail,
  origin: { kind: "server" },
};

const offlineSource: Source = {
  id: "offline",
  title: texts.noLanguageModel,
  detail: texts.noLanguageModelDetail,
  origin: { kind: "offline" },
};

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
