/**
 * The environment of a core: time, randomness, ids and the network are arguments, so that tests can
 * control them.
 *
 * Adapters implement it; `world-fake.ts` is the implementation for tests.
 */
import type { IdOfPrefix, IdPrefix } from "./ids.ts";

export interface Clock {
  /** Returns UTC milliseconds. The value may jump, so it is never used for timeouts. */
  now(): number;
  /** Returns milliseconds since an arbitrary start, which never decrease. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves after the tasks that are already queued in the event loop have run. */
  turn(): Promise<void>;
}

export interface Ids {
  /** Creates an id that sorts after all ids that this world created before. */
  fresh<Prefix extends IdPrefix>(prefix: Prefix): IdOfPrefix[Prefix];
  /** Derives an id from these parts. The same parts always give the same id. */
  derive<Prefix extends IdPrefix>(prefix: Prefix, ...parts: readonly string[]): IdOfPrefix[Prefix];
}

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Hashes bytes that arrive in parts. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** SHA-256 of all parts as lower-case hex. Ends the hasher. */
  digest(): string;
}

export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Returns `length` random bytes, suitable for secrets. */
  random(length: number): Uint8Array;
  /** Returns a hash as lower-case hex. The default is SHA-256. Text is hashed as UTF-8. */
  hash(data: string | Uint8Array, algorithm?: "sha1"): string;
  hasher(): Hasher;
  readonly fetch: Fetch;
}
