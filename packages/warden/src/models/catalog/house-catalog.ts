/**
 * The catalog of a house. It resolves keys without showing them. Providers are created on first
 * use.
 */
import type { ConfigSource, KeyFiles, ProviderConfig } from "../../kernel/index.ts";
import { lazy, lazyMethods, DEFAULT_MODEL, type ProviderInfo, type World } from "@hearth/protocol";
import type { Catalog } from "./catalog.ts";
import { composites, isComposite } from "../resilience/composites.ts";
import {
  checkBaseUrl,
  type Entry,
  type KeySources,
  noSuchProviderError,
  OFFLINE,
  readKey,
  requireVendor,
  unknownProviderError,
  isKeyStored,
  keyNotStoredError,
} from "./entry.ts";
import { findServers } from "./found-servers.ts";
import { knownVendors, type LocalServer, suggestedVendorModel } from "./known.ts";
import { candidateModels } from "../wires/candidate-models.ts";
import { toModelNames } from "./model-list.ts";
import { createOpenProviders } from "./open-providers.ts";
import type { ProviderFactory } from "../provider.ts";
import { ONLY_MODEL, forwardsModelName, type ModelTarget, toModelTarget } from "./target.ts";
import { tryList, tryProvider } from "./try-provider.ts";
import { toSentence } from "./words.ts";

export interface CatalogOptions extends KeySources {
  readonly world: Pick<World, "clock" | "fetch" | "random">;
  /** The valid values of `kind`. */
  readonly table: Readonly<Record<string, ProviderFactory>>;
  readonly config: Pick<ConfigSource, "current" | "edit" | "onChange">;
  readonly keyFiles: KeyFiles;
  /** Addresses where model servers on this machine usually listen. */
  readonly localServers: readonly LocalServer[];
}

/**
 * Maximum number of model names per provider, which exceeds that of any vendor and is small enough
 * to search.
 */
const MAX_MODELS = 1_000;

export const createCatalog = (options: CatalogOptions): Catalog => {
  const { world, table, config, environment, localServers } = options;
  const kinds = [...Object.keys(table), ...Object.keys(composites)];

  const listEntries = (): ReadonlyMap<string, Entry> => {
    const entriesByName = new Map<string, Entry>();
    for (const [name, provider] of config.current().providers)
      entriesByName.set(name, { name, source: "config", ...provider });
    for (const { name, kind, baseUrl, variable } of knownVendors) {
      if (entriesByName.has(name) || !Object.hasOwn(table, kind) || isEmpty(environment(variable))) continue;
      const apiKey = { kind: "env", name: variable } as const;
      const address = baseUrl === undefined ? {} : { baseUrl };
      entriesByName.set(name, { name, source: "environment", kind, apiKey, ...address });
    }
    if (!entriesByName.has(OFFLINE)) entriesByName.set(OFFLINE, { name: OFFLINE, source: "built-in", kind: OFFLINE });
    return entriesByName;
  };

  const find = (name: string): Entry => {
    const knownEntries = listEntries();
    const entry = knownEntries.get(name);
    if (entry === undefined) throw noSuchProviderError(name, knownEntries);
    if (kinds.includes(entry.kind)) return entry;
    throw unknownProviderError(
      `The provider "${name}" has the unknown kind "${entry.kind}". Available: ${kinds.join(", ")}.`,
    );
  };

  const openProviders = createOpenProviders({ ...options, find, ownModels: () => options.config.current().models });

  const describe = async (entry: Entry): Promise<ProviderInfo> => {
    const { kind, name, source, baseUrl, retries } = entry;
    const openCircuits = openProviders.describeOpenCircuits(name);
    const { ready, detail } = isComposite(kind) ? await describeParts(entry) : await describeWire(entry);
    const suggestedModel = suggestedModelOf(entry);
    return {
      name,
      kind,
      source,
      ready,
      detail: openCircuits === undefined ? detail : `${detail}; ${openCircuits}`,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(suggestedModel === undefined ? {} : { suggestedModel }),
      ...(isKeyStored(entry) ? { keyIsStored: true as const } : {}),
      ...(retries === undefined ? {} : { retries }),
    };
  };

  const describeWire = async (entry: Entry): Promise<Pick<ProviderInfo, "ready" | "detail">> => {
    const isKnownKind = Object.hasOwn(table, entry.kind);
    const key = await readKey(entry, options);
    return {
      ready: isKnownKind && key.kind === "ready",
      detail: isKnownKind ? key.detail : `unknown kind "${entry.kind}"; available: ${kinds.join(", ")}`,
    };
  };

  /**
   * Describes a composite. It is ready if one of its parts is ready. The other parts are skipped
   * until they are ready.
   */
  const describeParts = async (entry: Entry): Promise<Pick<ProviderInfo, "ready" | "detail">> => {
    const targets = targetsOf(entry);
    const knownEntries = listEntries();
    const parts = await Promise.all(
      [...new Set(targets.map((target) => toModelTarget(target, "").provider))].map(async (name) => {
        const part = knownEntries.get(name);
        return part === undefined ? { name, ready: false, detail: "it does not exist" } : describe(part);
      }),
    );
    const problems = parts.filter(({ ready }) => !ready).map(({ name, detail }) => `${name} is not ready: ${detail}`);
    return { ready: problems.length < parts.length, detail: [targets.join(", "), ...problems].join("; ") };
  };

  let currentProviders = config.current().providers;
  config.onChange(() => {
    const previous = currentProviders;
    currentProviders = config.current().providers;
    for (const name of previous.keys())
      if (!isSameConfig(previous.get(name), currentProviders.get(name))) openProviders.forget(name);
  });

  const loadChanges = lazy(async () =>
    (await import("./catalog-changes.ts")).createCatalogChanges({ ...options, kinds, entries: listEntries }),
  );
  const changes = lazyMethods(loadChanges, ["add", "edit", "remove", "replaceKey"]);

  return {
    list: () => Promise.all([...listEntries().values()].map(describe)),

    listKnownVendors: () =>
      knownVendors.filter(({ kind }) => Object.hasOwn(table, kind)).map(({ variable: _variable, ...vendor }) => vendor),

    findLocalServers: (signal) =>
      findServers({
        world,
        servers: localServers.filter(({ kind }) => Object.hasOwn(table, kind)),
        configured: [...listEntries().values()],
        signal,
      }),

    async resolve(model, fallback = []) {
      const targets = [model, ...fallback].map(parseModelName);
      const [{ provider, model: modelName }] = targets as [ModelTarget, ...ModelTarget[]];
      if (fallback.length > 0) return { provider: openProviders.createChain([model, ...fallback]), model: modelName };
      const entry = find(provider);
      checkOwnModel(entry, modelName);
      return { provider: await openProviders.openWithRetries(entry), model: modelName };
    },

    candidates: (models) => candidateModels(models, listEntries()),

    async models(name, signal) {
      const provider = await openProviders.openWithRetries(find(name));
      return toModelNames(name, await provider.models(signal), MAX_MODELS);
    },

    async test(name, model, signal) {
      const entry = find(name);
      const key = await readKey(entry, options);
      if (key.kind === "missing") return { ok: false, detail: `${key.detail}. ${key.hint}`, durationMs: 0 };
      if (model === undefined) {
        const listResult = await tryList(await openProviders.openWithoutRetries(entry), name, world.clock, signal);
        const { models } = listResult;
        return models === undefined ? listResult : { ...listResult, models: toModelNames(name, models, MAX_MODELS) };
      }
      const result = await tryProvider(await openProviders.openWithoutRetries(entry), model, world.clock, signal);
      if (result.ok) openProviders.closeCircuit(`${name}/${model}`);
      const openCircuits = openProviders.describeOpenCircuits(name);
      return openCircuits === undefined
        ? result
        : { ...result, detail: `${toSentence(result.detail)} At present ${openCircuits}.` };
    },

    async testNew({ name, kind, baseUrl, key }, model, signal, by) {
      if (by?.right !== undefined) requireVendor({ name, kind, baseUrl });
      checkBaseUrl(baseUrl);
      const entry: Entry = { name, kind, source: "config", ...(baseUrl === undefined ? {} : { baseUrl }) };
      const provider = await openProviders.openUnsaved(entry, key);
      return model === undefined
        ? tryList(provider, name, world.clock, signal)
        : tryProvider(provider, model, world.clock, signal);
    },

    async add(provider, by) {
      await changes.add(provider, by);
      return describe(find(provider.name));
    },

    async edit(name, change, by) {
      await changes.edit(name, change, by);
      return describe(find(name));
    },

    async replaceKey(name, { key, model }, signal, by) {
      const entry = find(name);
      if (!isKeyStored(entry)) throw keyNotStoredError(entry);
      if (by?.right !== undefined) requireVendor(entry);
      const provider = await openProviders.openUnsaved(entry, key);
      const result =
        model === undefined
          ? await tryList(provider, name, world.clock, signal)
          : await tryProvider(provider, model, world.clock, signal);
      if (result.ok) await changes.replaceKey(name, key, by);
      return result;
    },

    remove: changes.remove,
  };
};

const isSameConfig = (a: ProviderConfig | undefined, b: ProviderConfig | undefined): boolean => toText(a) === toText(b);

const toText = (config: ProviderConfig | undefined): string | undefined =>
  JSON.stringify(config, (_key, value: unknown) => (value instanceof Map ? [...value] : value));

const isEmpty = (value: string | undefined): boolean => value === undefined || value.trim() === "";

const parseModelName = (model: string): ModelTarget => {
  const slash = model.indexOf("/");
  if (slash < 1 || slash === model.length - 1)
    throw unknownProviderError(
      `"${model}" is not a model name. Write it as provider/model, for example anthropic/claude-sonnet-5-5.`,
    );
  return toModelTarget(model, "");
};

const targetsOf = ({ models = [], routes = new Map() }: Entry): readonly string[] => [...models, ...routes.values()];

/** Whether all targets of a chain name their models. */
const hasOneModel = ({ models = [] }: Entry): boolean => models.length > 0 && !models.some(forwardsModelName);

const checkOwnModel = (entry: Entry, model: string): void => {
  if (!hasOneModel(entry) || model === ONLY_MODEL) return;
  throw unknownProviderError(`"${entry.name}" is a chain of models. Write it as ${entry.name}/${ONLY_MODEL}.`);
};

const suggestedModelOf = (entry: Entry): string | undefined => {
  if (entry.kind === OFFLINE) return DEFAULT_MODEL.slice(DEFAULT_MODEL.indexOf("/") + 1);
  return hasOneModel(entry) ? ONLY_MODEL : suggestedVendorModel(entry.kind, entry.baseUrl);
};
