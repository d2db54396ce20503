/**
 * Limits failed attempts. Wrong passwords count for their address and for the person. Wrong keys,
 * sessions and codes, which cannot be guessed, count only for the address. The counts are in
 * memory, are limited in number, and expire.
 */
import { type Clock, HearthError } from "@hearth/protocol";
import { toOrigin } from "../records/peer.ts";

/**
 * The remote address of the connection, from the platform. All connections without an address count
 * together.
 */
export type Peer = string | undefined;

export interface LoginAttempts {
  /**
   * Counts an attempt before its password is checked. The attempt counts as wrong unless `confirm`
   * is called. Throws `auth.limited` after too many, even for the right password, because an
   * attacker could otherwise continue. Existing sessions and login links are not affected.
   */
  guess(peer: Peer, person: string): { confirm(): void };
  /**
   * Does what `guess` does, for a code of the second factor. Codes are short, so a person has
   * fewer attempts.
   */
  guessCode(peer: Peer, person: string): { confirm(): void };
  /** Counts a challenge that a browser without a credential requested. Throws `auth.limited`. */
  challenge(peer: Peer): void;
  /** Called after an invalid key, session or code. Throws `auth.limited` after too many. */
  recordInvalidCredential(peer: Peer): void;
}

/** The number of attempts in a row, and the interval after which one more is allowed. */
interface Rate {
  readonly burst: number;
  readonly everyMs: number;
}

export const GUESSES_OF_PEER: Rate = { burst: 10, everyMs: 60_000 };
/**
 * Twice the limit of an address. An attacker at one address cannot exhaust it, and the person can
 * log in from another address.
 */
export const GUESSES_AT_PERSON: Rate = { burst: 20, everyMs: 30_000 };
/** Six digits with three valid codes at a time: about 0.1 % of a day's tries are right by chance. */
export const CODES_AT_PERSON: Rate = { burst: 20, everyMs: 5 * 60_000 };
/**
 * The house keeps each challenge for minutes, so one address must not displace the challenges of
 * others.
 */
export const CHALLENGES_OF_PEER: Rate = { burst: 30, everyMs: 5_000 };
export const INVALID_CREDENTIALS_OF_PEER: Rate = { burst: 50, everyMs: 1_000 };
/** Maximum number of separate counts per kind. */
export const MAX_TRACKED = 10_000;

export const createLoginAttempts = ({ clock }: { readonly clock: Clock }): LoginAttempts => {
  const peers = createBuckets(clock, GUESSES_OF_PEER);
  const people = createBuckets(clock, GUESSES_AT_PERSON);
  const codes = createBuckets(clock, CODES_AT_PERSON);
  const challenges = createBuckets(clock, CHALLENGES_OF_PEER);
  const invalidCredentials = createBuckets(clock, INVALID_CREDENTIALS_OF_PEER);
  const guessAt =
    (accounts: ReturnType<typeof createBuckets>): LoginAttempts["guess"] =>
    (peer, person) => {
      const fromPeer = peers.take(toOrigin(peer));
      if (fromPeer.kind === "empty") throw limitedError(fromPeer.waitMs);
      const atPerson = accounts.take(person);
      if (atPerson.kind === "empty") {
        fromPeer.giveBack();
        throw limitedError(atPerson.waitMs);
      }
      return {
        confirm() {
          fromPeer.giveBack();
          atPerson.giveBack();
        },
      };
    };
  return {
    guess: guessAt(people),
    guessCode: guessAt(codes),
    challenge(peer) {
      const result = challenges.take(toOrigin(peer));
      if (result.kind === "empty") throw limitedError(result.waitMs);
    },
    recordInvalidCredential(peer) {
      const result = invalidCredentials.take(toOrigin(peer));
      if (result.kind === "empty") throw limitedError(result.waitMs);
    },
  };
};

type TakeResult =
  | { readonly kind: "taken"; giveBack(): void }
  /** Time until the next attempt. */
  | { readonly kind: "empty"; readonly waitMs: number };

const createBuckets = (clock: Clock, { burst, everyMs }: Rate) => {
  /** The used attempts as of the time `at`. */
  const usedAttempts = new Map<string, { readonly count: number; readonly at: number }>();
  /** Limits the searches for expired counts, because a flood would cause one per address. */
  let nextSweepAt = 0;

  const countUsed = (key: string): number => {
    const entry = usedAttempts.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.count - (clock.monotonic() - entry.at) / everyMs);
  };

  const setUsed = (key: string, count: number): void => {
    if (count <= 0) usedAttempts.delete(key);
    else usedAttempts.set(key, { count, at: clock.monotonic() });
  };

  /**
   * Returns the key of the count. When the table is full, new addresses share one count, and
   * existing counts stay.
   */
  const toTrackedKey = (key: string): string => {
    if (usedAttempts.has(key) || usedAttempts.size < MAX_TRACKED) return key;
    if (clock.monotonic() < nextSweepAt) return SHARED_KEY;
    for (const tracked of usedAttempts.keys()) if (countUsed(tracked) === 0) usedAttempts.delete(tracked);
    nextSweepAt = clock.monotonic() + everyMs;
    return usedAttempts.size < MAX_TRACKED ? key : SHARED_KEY;
  };

  return {
    take(name: string): TakeResult {
      const key = toTrackedKey(name);
      const count = countUsed(key) + 1;
      if (count > burst) return { kind: "empty", waitMs: Math.ceil((count - burst) * everyMs) };
      setUsed(key, count);
      return { kind: "taken", giveBack: () => setUsed(key, countUsed(key) - 1) };
    },
  };
};

const SHARED_KEY = "";

const limitedError = (waitMs: number): HearthError => {
  const seconds = Math.ceil(waitMs / 1000);
  return new HearthError("auth.limited", "Too many failed attempts.", {
    hint: `Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}, or open a login link: \`hearth login\` prints one.`,
    retryAfterMs: waitMs,
  });
};
