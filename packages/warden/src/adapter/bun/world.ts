/** The real world on Bun: clocks, randomness, ids and network. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createBunClock } from "@hearth/inmate/bun/clock";
import type { ActingScope, Actor } from "../../kernel/index.ts";
import { BASE32_DIGITS, deriveId, type Ids, type World } from "@hearth/protocol";

export const createBunWorld = (): World => ({
  clock,
  ids: createIds({ now: clock.now, random }),
  random,
  hash,
  hasher,
  fetch: (input, init) => (isOwnMachine(input) ? fetch(input, { ...init, proxy: false }) : fetch(input, init)),
});

/** Creates the scope of the requests for which code runs. Asynchronous code inherits its request. */
export const createActingScope = (): ActingScope => {
  const requests = new AsyncLocalStorage<{ readonly actor: Actor; isOver: boolean; readonly covered: string[] }>();
  const covered = new Map<string, Actor>();
  const currentRequest = () => {
    const request = requests.getStore();
    return request?.isOver === true ? undefined : request;
  };
  return {
    run(actor, work) {
      const request = { actor, isOver: false, covered: [] as string[] };
      return requests.run(request, async () => {
        try {
          return await work();
        } finally {
          request.isOver = true;
          for (const id of request.covered) if (covered.get(id) === actor) covered.delete(id);
        }
      });
    },
    current: () => currentRequest()?.actor,
    cover(activation) {
      const request = currentRequest();
      if (request === undefined) return;
      request.covered.push(activation);
      covered.set(activation, request.actor);
    },
    coveredBy: (activation) => covered.get(activation),
  };
};

const clock = createBunClock();

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

const hash: World["hash"] = (data, algorithm) =>
  algorithm === "sha1" ? Bun.SHA1.hash(data, "hex") : Bun.SHA256.hash(data, "hex");

const hasher: World["hasher"] = () => {
  const state = new Bun.CryptoHasher("sha256");
  return {
    update(bytes) {
      state.update(bytes);
    },
    digest: () => state.digest("hex"),
  };
};

const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/**
 * Fresh ids are the millisecond and 80 random bits, in base32. Within one millisecond, or while the
 * clock is behind an earlier value, the random part counts up from the last id, so that ids never
 * go back.
 */
export const createIds = (source: { readonly now: () => number; readonly random: World["random"] }): Ids => {
  let time = 0;
  let timeDigits = "";
  let randomDigits: number[] = [];

  const nextDigits = (): string => {
    const now = source.now();
    if (now > time || !countUp(randomDigits)) {
      time = Math.max(now, time + 1);
      timeDigits = toDigits(time);
      randomDigits = Array.from(source.random(RANDOM_LENGTH), (byte) => byte & 31);
    }
    let digits = timeDigits;
    for (const digit of randomDigits) digits += BASE32_DIGITS[digit];
    return digits;
  };

  return {
    fresh: (prefix) => `${prefix}_${nextDigits()}` as never,
    derive: (prefix, ...parts) => deriveId(hash, prefix, parts),
  };
};

/** Adds 1 in place. Returns false on overflow, and for the initial empty value. */
const countUp = (digits: number[]): boolean => {
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const digit = (digits[index] ?? 0) + 1;
    digits[index] = digit & 31;
    if (digit < 32) return true;
  }
  return false;
};

const toDigits = (time: number): string => {
  let digits = "";
  for (let remainder = time; digits.length < TIME_LENGTH; remainder = Math.floor(remainder / 32))
    digits = `${BASE32_DIGITS[remainder % 32]}${digits}`;
  return digits;
};

/**
 * Whether a request goes to this machine. Such a request must not use the proxy that the
 * environment names, but Bun would use it.
 */
const isOwnMachine = (input: string | URL | Request): boolean => {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
};
