/** The providers of this house by name: from the config, from keys in the environment, and the built-in `offline`. */
import type { ProviderInfo } from "@hearth/protocol";
import type { Provider } from "./provider.ts";

export interface ProviderTestResult {
  readonly ok: boolean;
  readonly detail: string;
  readonly durationMs: number;
}

export interface NewProvider {
  readonly name: string;
  readonly kind: string;
  readonly baseUrl?: string;
  /** A reference: `env:NAME` or `file:PATH`. */
  readonly apiKey?: string;
}

export interface Catalog {
  list(): Promise<readonly ProviderInfo[]>;
  /** `provider/model` → who answers and what to ask for. Throws `provider.unknown` (naming what there is) or `provider.auth` (no key at hand). */
  resolve(model: string): Promise<{ readonly provider: Provider; readonly model: string }>;
  /** One tiny real call. */
  test(name: string, model: string, signal: AbortSignal): Promise<ProviderTestResult>;
  /** Writes it into `hearth.toml`, keeping all else of the file. Throws `config.invalid`, `record.handle-taken`. */
  add(provider: NewProvider): Promise<ProviderInfo>;
  /** Takes it out of `hearth.toml`. Throws `provider.unknown`. */
  remove(name: string): Promise<void>;
}
