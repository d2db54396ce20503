/** A language model behind a wire. It sees no rooms, agents or secrets by name; it gets a key and a request. */
import type { Clock, Fetch, ModelEvent, ModelRequest } from "@hearth/protocol";
import type { ChargeGate } from "./resilience/charge.ts";

export interface Provider {
  readonly kind: string;
  readonly traits: {
    /** It answers without a network and without a key. */
    readonly offline: boolean;
  };
  /**
   * Streams one assistant message.
   *
   * Contract, checked by `providerConformance`:
   * - never throws; a failure is the final `error` event, with a `provider.*` code and words for a person
   * - ends with exactly one `end` or `error`, and nothing follows it
   * - `retry` is told before the pause, and only before the first text delta
   * - the text deltas, joined, equal `end.message.text`
   * - `end` only after the wire's own terminal event: a stream cut at any byte is an `error` (`provider.truncated`)
   * - every tool call of `end` has a name and an object as input, whole as the model wrote it; ids are unique
   * - arguments that are not a JSON object fail nothing: the call has `{}` as input, and what was written as `unreadable`
   * - usage is what the wire reported; missing or negative counts are 0. What a failed answer cost is told where it was reported
   * - an aborted signal ends the stream with `provider.aborted` and closes the connection
   * - given out by a catalog, it makes no request to a vendor without a fare of `toll`; what `toll` refuses is the final `error`, as it says it
   * - silence for `idleTimeoutMs` ends it with `provider.timeout`, and so do signs of life for `totalTimeoutMs`
   */
  stream(request: ModelRequest, signal: AbortSignal, toll?: ChargeGate): AsyncIterable<ModelEvent>;
  /**
   * The names of the models that it has, in its own order.
   *
   * Contract, checked by `providerConformance`:
   * - a failure is a `provider.*` error with words for a person
   * - it is over within seconds: a list that does not come is `provider.timeout`
   * - an aborted signal ends it with `provider.aborted` and closes the connection
   */
  models(signal: AbortSignal): Promise<readonly string[]>;
}

export interface ProviderOptions {
  /** Where the wire begins, for proxies, compatible servers and tests. Default: the vendor's. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Longest silence on the wire. Default 120 s. */
  readonly idleTimeoutMs?: number;
  /** The longest that one answer may take, however lively. Default 30 min: a model at home may need many. */
  readonly totalTimeoutMs?: number;
}

export type ProviderFactory = (options: ProviderOptions) => Provider | Promise<Provider>;
