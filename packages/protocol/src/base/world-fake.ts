/**
 * A deterministic world for tests: time advances only by `advance`, ids count up, and randomness
 * repeats. The caller supplies the hash.
 */
import { deriveId } from "./derive.ts";
import type { Fetch, Hasher, World } from "./world.ts";

export interface FakeWorld extends World {
  /** Advances both clocks and wakes the sleepers that are due, in order. */
  advance(ms: number): Promise<void>;
}

export const createFakeWorld = (options: { hash: World["hash"]; now?: number; fetch?: Fetch }): FakeWorld => {
  let now = options.now ?? Date.UTC(2026, 0, 1);
  let monotonic = 0;
  let count = 0;
  let seed = 1;
  let sleepers: { until: number; wake: () => void }[] = [];
  const flushMicrotasks = async (): Promise<void> => {
    for (let index = 0; index < 50; index += 1) await Promise.resolve();
  };
  return {
    clock: {
      now: () => now,
      monotonic: () => monotonic,
      turn: flushMicrotasks,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted === true) return resolve();
          const wake = (): void => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            signal?.removeEventListener("abort", wake);
            resolve();
          };
          const sleeper = { until: monotonic + ms, wake };
          sleepers.push(sleeper);
          signal?.addEventListener("abort", wake);
        }),
    },
    ids: {
      fresh: (prefix) => {
        count += 1;
        return `${prefix}_${count.toString(10).padStart(26, "0")}` as never;
      },
      derive: (prefix, ...parts) => deriveId(options.hash, prefix, parts),
    },
    random: (length) =>
      Uint8Array.from({ length }, () => {
        // xorshift32 uses only 32-bit operations, so no result is rounded.
        seed ^= seed << 13;
        seed ^= seed >>> 17;
        seed ^= seed << 5;
        return seed & 255;
      }),
    hash: options.hash,
    hasher: () => createWholeHasher(options.hash),
    fetch: options.fetch ?? (() => Promise.reject(new TypeError("the fake world has no network"))),
    async advance(ms) {
      const end = monotonic + ms;
      for (;;) {
        const nextSleeper = sleepers.filter((sleeper) => sleeper.until <= end).sort((a, b) => a.until - b.until)[0];
        if (nextSleeper === undefined) break;
        now += nextSleeper.until - monotonic;
        monotonic = nextSleeper.until;
        nextSleeper.wake();
        await flushMicrotasks();
      }
      now += end - monotonic;
      monotonic = end;
      await flushMicrotasks();
    },
  };
};

/** Creates a hasher that keeps the parts and hashes them together. */
const createWholeHasher = (hash: World["hash"]): Hasher => {
  const parts: number[] = [];
  return {
    update: (bytes) => {
      for (const byte of bytes) parts.push(byte);
    },
    digest: () => hash(Uint8Array.from(parts)),
  };
};
