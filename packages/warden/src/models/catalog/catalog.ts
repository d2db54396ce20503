/** The providers of this house by name: from the config, from keys in the environment, and the built-in `offline`. */
import type { Actor } from "../../kernel/index.ts";
import type { ErrorBody, FoundServer, KnownProvider, ProviderInfo } from "@hearth/protocol";
import type { CandidateModel } from "../wires/candidate-models.ts";
import type { Provider } from "../provider.ts";

export interface ProviderTestResult {
  readonly ok: boolean;
  readonly detail: string;
  readonly durationMs: number;
  /** Why it did not answer. */
  readonly error?: ErrorBody;
  /** Of a test without a model: the models that the provider lists. */
  readonly models?: readonly string[];
}

export interface NewProvider {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl?: string;
  /** A reference: `secret:NAME`, `env:NAME` or `file:PATH`. */
  readonly apiKey?: string;
  /** Instead of `apiKey`: the key itself. The house keeps it, and no answer, log or config ever has it. */
  readonly key?: string;
}

export interface Catalog {
  list(): Promise<readonly ProviderInfo[]>;
  /** Vendors that a key is enough for, set up or not. */
  known(): readonly KnownProvider[];
  /** Model servers on this machine that answer and are not set up yet. Never fails: where nothing is, nothing is found. */
  found(signal: AbortSignal): Promise<readonly FoundServer[]>;
  /**
   * `provider/model` → who answers and what to ask for. Throws `provider.unknown` (naming what there is) or `provider.auth` (no key
   * at hand). With `fallback` those are asked in its place, in this order, when it does not answer; then a provider that is
   * missing is only passed over, as one that is down.
   */
  resolve(
    model: string,
    fallback?: readonly string[],
  ): Promise<{ readonly provider: Provider; readonly model: string }>;
  /** The models that may come to answer for these names. */
  leaves(models: readonly string[]): readonly CandidateModel[];
  /** The models of a provider that an agent can name. Throws what `resolve` throws, and whatever became of the call. */
  models(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Makes one tiny real call, with a limit of 20 s. Chains that paused the model ask it again once it answers. Without a model it asks for
   * the list of models.
   */
  test(name: string, model: string | undefined, signal: AbortSignal): Promise<ProviderTestResult>;
  /** Tests a provider that is not set up, and keeps nothing of it. Without a model it asks for the list. Throws `config.invalid`. */
  testNew(
    provider: Omit<NewProvider, "apiKey">,
    model: string | undefined,
    signal: AbortSignal,
  ): Promise<ProviderTestResult>;
  /** Writes it into `hearth.toml`, keeping all else of the file, and says by whom. Throws `config.invalid`, `record.handle-taken`; then no key is kept either. */
  add(provider: NewProvider, by?: Actor): Promise<ProviderInfo>;
  /** Takes it out of `hearth.toml`, and away with the key that the house kept for it. Throws `provider.unknown`. */
  remove(name: string, by?: Actor): Promise<void>;
}
