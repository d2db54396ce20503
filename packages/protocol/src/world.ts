/**
 * The world as a core sees it: time, chance, names and the network arrive as arguments, so that a test can own them.
 * Adapters build the real one; `world-fake.ts` is the one for tests.
 */
import type { IdOfPrefix, IdPrefix } from "./ids.ts";

export interface Clock {
  /** UTC milliseconds. May jump; never used for timeouts. */
  now(): number;
  /** Milliseconds that only grow, from an arbitrary start. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves once whatever is already waiting on the event loop has had its turn. */
  turn(): Promise<void>;
}

export interface Ids {
  /** A new id that sorts after every id this world made before. */
  fresh<Prefix extends IdPrefix>(prefix: Prefix): IdOfPrefix[Prefix];
  /** The id that belongs to these causes: the same parts always give the same id. */
  derive<Prefix extends IdPrefix>(prefix: Prefix, ...parts: readonly string[]): IdOfPrefix[Prefix];
}

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  /** `length` random bytes, fit for secrets. */
  random(length: number): Uint8Array;
  /** SHA-256 as lower-case hex. Text is hashed as UTF-8. */
  hash(data: string | Uint8Array): string;
  readonly fetch: Fetch;
}
