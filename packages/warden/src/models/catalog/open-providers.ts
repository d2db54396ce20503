/**
 * Creates the providers of a house on first use: wires with and without retries, chains and routers
 * of them, and the circuits that all chains share.
 */
import { HearthError, lazy, type World } from "@hearth/protocol";
import { type Circuit, createCircuit } from "../resilience/circuit.ts";
import { composites, isComposite } from "../resilience/composites.ts";
import { type Entry, type KeySources, OFFLINE, readKey, unknownProviderError } from "./entry.ts";
import type { ModelInfo } from "./model-info.ts";
import type { OwnModelInfo } from "../../kernel/index.ts";
import type { Provider, ProviderFactory } from "../provider.ts";
import { toCandidate } from "../wires/candidate-models.ts";
import { createReliableProvider, describePause } from "../resilience/reliable.ts";
import { createRetryingProvider, MAX_RETRIES } from "../resilience/retrying.ts";
import { createChargedProvider } from "../resilience/charged-provider.ts";

export interface OpenProvidersOptions extends KeySources {
  readonly world: Pick<World, "clock" | "fetch" | "random">;
  readonly table: Readonly<Record<string, ProviderFactory>>;
  /** Limits and abilities of models from the config. */
  readonly ownModels: () => ReadonlyMap<string, OwnModelInfo>;
  /** Throws `provider.unknown`. */
  readonly find: (name: string) => Entry;
}

/** Opens providers. Each method throws `provider.auth` if a required key is missing. */
export interface OpenProviders {
  /** Opens a provider without retries. */
  openWithoutRetries(entry: Entry): Promise<Provider>;
  /**
   * Opens a provider without retries that is not configured. The caller passes its key, and
   * nothing is stored. Throws `provider.unknown`.
   */
  openUnsaved(entry: Entry, apiKey: string | undefined): Promise<Provider>;
  /** Opens a provider with the configured number of retries. */
  openWithRetries(entry: Entry): Promise<Provider>;
  /** Creates a chain of these models in order. */
  createChain(models: readonly string[]): Provider;
  /** Describes the open circuits of a provider's models, or undefined if all are closed. */
  describeOpenCircuits(provider: string): string | undefined;
  /** Closes the circuit of a model that was seen to answer. */
  closeCircuit(model: string): void;
  forget(name: string): void;
}

/**
 * Few retries for the members of a chain, because the next model is the better second attempt,
 * except after a short pause.
 */
const FEW_RETRIES = { retries: 1, budgetMs: 10_000 } as const;

// Loaded at the first call of a model.
const loadFitting = lazy(async () => {
  const [{ createFittedProvider }, { modelInfo }] = await Promise.all([
    import("../resilience/fitted-provider.ts"),
    import("./model-info.ts"),
  ]);
  return { createFittedProvider, modelInfo };
});

interface OpenedProvider {
  readonly settings: string;
  readonly withoutRetries: Promise<Provider>;
  readonly withRetries: Promise<Provider>;
  readonly withFewRetries: Promise<Provider>;
}

export const createOpenProviders = (options: OpenProvidersOptions): OpenProviders => {
  const { table, find, ownModels, world } = options;
  const { clock, random } = world;
  const openedProviders = new Map<string, OpenedProvider>();
  const circuits = new Map<string, Circuit>();

  const circuitOf = (model: string): Circuit => {
    const circuit = circuits.get(model) ?? createCircuit(clock);
    circuits.set(model, circuit);
    return circuit;
  };

  const createProvider = async (entry: Entry, apiKey: string | undefined): Promise<Provider> => {
    const { kind, baseUrl } = entry;
    if (isComposite(kind))
      return composites[kind]({
        config: entry,
        open: openerFor("withRetries"),
        openWithFewRetries: openerFor("withFewRetries"),
        circuitOf,
      });
    const create = table[kind];
    if (create === undefined) throw unknownProviderError(`Unknown provider kind "${kind}".`);
    const wire = await create({
      fetch: world.fetch,
      clock,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    // The built-in provider makes no requests.
    const { createFittedProvider, modelInfo } = await loadFitting();
    const infoOf = (model: string): ModelInfo =>
      modelInfo(toCandidate({ provider: entry.name, model }, entry), ownModels());
    const fittedProvider = createFittedProvider({ provider: wire, infoOf });
    return kind === OFFLINE ? fittedProvider : createChargedProvider(fittedProvider, entry.name);
  };

  const open = async (entry: Entry): Promise<OpenedProvider> => {
    const key = await readKey(entry, options);
    if (key.kind === "missing") {
      throw new HearthError("provider.auth", `The provider "${entry.name}" has no key: ${key.detail}.`, {
        hint: key.hint,
      });
    }
    const { kind, baseUrl, retries = MAX_RETRIES, models, routes = [] } = entry;
    const settings = JSON.stringify([kind, baseUrl, key.key, retries, models, [...routes]]);
    const cachedProvider = openedProviders.get(entry.name);
    if (cachedProvider?.settings === settings) return cachedProvider;
    const withoutRetries = createProvider(entry, key.key);
    const createRetrying = async (limits: {
      readonly retries: number;
      readonly budgetMs?: number;
    }): Promise<Provider> => {
      const provider = await withoutRetries;
      // The offline provider has no transient failures, and the parts of a composite retry
      // themselves.
      if (provider.traits.offline || isComposite(kind)) return provider;
      return createRetryingProvider({ provider, clock, random, ...limits });
    };
    const withRetries = createRetrying({ retries });
    const withFewRetries = createRetrying({ ...FEW_RETRIES, retries: Math.min(retries, FEW_RETRIES.retries) });
    const openedProvider = { settings, withoutRetries, withRetries, withFewRetries };
    openedProviders.set(entry.name, openedProvider);
    return openedProvider;
  };

  const openerFor =
    (variant: "withRetries" | "withFewRetries") =>
    async (name: string): Promise<Provider> =>
      (await open(find(name)))[variant];

  return {
    openWithoutRetries: async (entry) => (await open(entry)).withoutRetries,
    async openUnsaved(entry, apiKey) {
      if (isComposite(entry.kind))
        throw unknownProviderError(`Providers of kind ${entry.kind} can only be tested once they are configured.`);
      return createProvider(entry, apiKey);
    },
    openWithRetries: async (entry) => (await open(entry)).withRetries,
    createChain: (models) => createReliableProvider({ targets: models, open: openerFor("withFewRetries"), circuitOf }),
    describeOpenCircuits(provider) {
      const openCircuits = [...circuits].flatMap(([model, circuit]) => {
        const pause = model.startsWith(`${provider}/`) ? circuit.remainingPause() : undefined;
        return pause === undefined ? [] : [`${model} ${describePause(pause)}`];
      });
      return openCircuits.length === 0 ? undefined : openCircuits.join(", ");
    },
    closeCircuit: (model) => circuits.get(model)?.close(),
    forget: (name) => void openedProviders.delete(name),
  };
};
