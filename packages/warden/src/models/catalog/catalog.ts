/**
 * The providers of this house by name: from the config, from keys in the environment, and the
 * built-in `offline`.
 */
import type { Actor } from "../../kernel/index.ts";
import type {
  EditProvider,
  ErrorBody,
  FoundServer,
  KnownProvider,
  ProviderInfo,
  ReplaceProviderKey,
} from "@hearth/protocol";
import type { CandidateModel } from "../wires/candidate-models.ts";
import type { Provider } from "../provider.ts";

export interface ProviderTestResult {
  readonly ok: boolean;
  readonly detail: string;
  readonly durationMs: number;
  /** The reason why the provider did not answer. */
  readonly error?: ErrorBody;
  /** The provider's models, if the test named no model. */
  readonly models?: readonly string[];
}

export interface NewProvider {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl?: string;
  /** A reference: `secret:NAME`, `env:NAME` or `file:PATH`. */
  readonly apiKey?: string;
  /**
   * The key itself, in place of `apiKey`. The house stores it, and no response, log or config
   * contains it.
   */
  readonly key?: string;
}

export interface Catalog {
  list(): Promise<readonly ProviderInfo[]>;
  /** Returns the vendors that need only a key, configured or not. */
  listKnownVendors(): readonly KnownProvider[];
  /**
   * Returns the model servers on this machine that answer and are not configured. Never rejects:
   * without servers the list is empty.
   */
  findLocalServers(signal: AbortSignal): Promise<readonly FoundServer[]>;
  /**
   * Resolves `provider/model` to a provider and its model name. The `fallback` models are tried
   * in order if it does not answer. A missing provider is then skipped like one that is down.
   * Throws `provider.unknown` (with a list of the known ones) or `provider.auth` (no key).
   */
  resolve(
    model: string,
    fallback?: readonly string[],
  ): Promise<{ readonly provider: Provider; readonly model: string }>;
  /** Returns the models that may answer for these names. */
  candidates(models: readonly string[]): readonly CandidateModel[];
  /**
   * Returns the models of a provider that an agent can use. Throws the errors of `resolve`, and
   * the failure of the call.
   */
  models(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Makes one small real call within 20 s. If the model answers, its circuit closes. Without a
   * model, requests the list of models.
   */
  test(name: string, model: string | undefined, signal: AbortSignal): Promise<ProviderTestResult>;
  /**
   * Tests a provider without storing it. Without a model, requests the list of models. Throws
   * `config.invalid`, and like `add` for an actor with a right.
   */
  testNew(
    provider: Omit<NewProvider, "apiKey">,
    model: string | undefined,
    signal: AbortSignal,
    by?: Actor,
  ): Promise<ProviderTestResult>;
  /**
   * Adds a provider to `hearth.toml`, keeps the rest of the file, and records the actor. Throws
   * `config.invalid`, `record.handle-taken`, and then does not store the key. Throws `auth.denied`
   * for an actor with a right, unless it is a known vendor at its own address; so does `remove`.
   */
  add(provider: NewProvider, by?: Actor): Promise<ProviderInfo>;
  /**
   * Changes values of a provider in `hearth.toml`. Throws `provider.unknown`, or `config.invalid`
   * and then changes nothing.
   */
  edit(name: string, changes: EditProvider, by?: Actor): Promise<ProviderInfo>;
  /**
   * Tests a new key like `testNew`, and replaces the stored one if the provider accepts it. Throws
   * `provider.unknown`, and `config.invalid` if the house does not store the key.
   */
  replaceKey(name: string, change: ReplaceProviderKey, signal: AbortSignal, by?: Actor): Promise<ProviderTestResult>;
  /**
   * Removes a provider from `hearth.toml`, with the key that the house stores for it. Throws
   * `provider.unknown`.
   */
  remove(name: string, by?: Actor): Promise<void>;
}
