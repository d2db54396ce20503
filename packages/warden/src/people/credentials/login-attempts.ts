/**
 * How often somebody may be wrong. Wrong passwords count for the address that they come from and for the person that they are meant for;
 * wrong keys, sessions and codes, which nobody guesses, for the address alone. All of it is in memory, bounded, and wears off.
 */
import { type Clock, HearthError } from "@hearth/protocol";
import { toOrigin } from "../records/peer.ts";

/** The address at the other end of the connection, as the platform gives it. All without one are one. */
export type Peer = string | undefined;

export interface LoginAttempts {
  /**
   * Before a password is looked at: it counts as wrong unless `right` is called. Throws `auth.limited` when there were too many, whatever
   * the password is: else a guess could go on. Who is logged in already, or has a link, is not asked here.
   */
  guess(peer: Peer, person: string): { right(): void };
  /** After a key, a session or a code was none. Throws `auth.limited` when there were too many. */
  stray(peer: Peer): void;
}

/** So many in a row, and one more each time. */
interface Rate {
  readonly burst: number;
  readonly everyMs: number;
}

export const GUESSES_OF_PEER: Rate = { burst: 10, everyMs: 60_000 };
/** Twice what an address has: a stranger at one cannot use it up, and the person still comes in from their own. */
export const GUESSES_AT_PERSON: Rate = { burst: 20, everyMs: 30_000 };
export const INVALID_CREDENTIALS_OF_PEER: Rate = { burst: 50, everyMs: 1_000 };
/** Of each kind, those that are told apart. */
export const MAX_TRACKED = 10_000;

export const createLoginAttempts = ({ clock }: { readonly clock: Clock }): LoginAttempts => {
  const peers = createBuckets(clock, GUESSES_OF_PEER);
  const people = createBuckets(clock, GUESSES_AT_PERSON);
  const strays = createBuckets(clock, INVALID_CREDENTIALS_OF_PEER);
  return {
    guess(peer, person) {
      const fromPeer = peers.take(toOrigin(peer));
      if (fromPeer.kind === "empty") throw limited(fromPeer.waitMs);
      const atPerson = people.take(person);
      if (atPerson.kind === "empty") {
        fromPeer.giveBack();
        throw limited(atPerson.waitMs);
      }
      return {
        right() {
          fromPeer.giveBack();
          atPerson.giveBack();
        },
      };
    },
    stray(peer) {
      const taken = strays.take(toOrigin(peer));
      if (taken.kind === "empty") throw limited(taken.waitMs);
    },
  };
};

type Taken =
  | { readonly kind: "taken"; giveBack(): void }
  /** There is one again after so long. */
  | { readonly kind: "empty"; readonly waitMs: number };

const createBuckets = (clock: Clock, { burst, everyMs }: Rate) => {
  /** What was spent and has not come back as of `at`. */
  const spent = new Map<string, { readonly count: number; readonly at: number }>();
  /** Not at each newcomer: a flood would be a search each. */
  let lookAgainAt = 0;

  const spentOf = (key: string): number => {
    const known = spent.get(key);
    return known === undefined ? 0 : Math.max(0, known.count - (clock.monotonic() - known.at) / everyMs);
  };

  const put = (key: string, count: number): void => {
    if (count <= 0) spent.delete(key);
    else spent.set(key, { count, at: clock.monotonic() });
  };

  /** Where no more can be told apart, newcomers are one: nobody is forgotten so that another fits in. */
  const toTracked = (key: string): string => {
    if (spent.has(key) || spent.size < MAX_TRACKED) return key;
    if (clock.monotonic() < lookAgainAt) return OTHERS;
    for (const known of spent.keys()) if (spentOf(known) === 0) spent.delete(known);
    lookAgainAt = clock.monotonic() + everyMs;
    return spent.size < MAX_TRACKED ? key : OTHERS;
  };

  return {
    take(name: string): Taken {
      const key = toTracked(name);
      const count = spentOf(key) + 1;
      if (count > burst) return { kind: "empty", waitMs: Math.ceil((count - burst) * everyMs) };
      put(key, count);
      return { kind: "taken", giveBack: () => put(key, spentOf(key) - 1) };
    },
  };
};

const OTHERS = "";

const limited = (waitMs: number): HearthError => {
  const seconds = Math.ceil(waitMs / 1000);
  return new HearthError("auth.limited", "There were too many wrong attempts.", {
    hint: `Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}, or open a login link: \`hearth login\` prints one.`,
    retryAfterMs: waitMs,
  });
};
