/**
 * Work that waits for a code of the person: the second step of a login, and the set-up of an
 * authenticator app. Kept in memory only, bounded, for some minutes and a few codes.
 */
import type { World } from "@hearth/protocol";
import { newSecret } from "./secret.ts";

export interface SecondSteps<Work> {
  /** Returns the ticket that `try` takes. */
  begin(work: Work): { readonly ticket: string; readonly expiresAt: number };
  /** Counts one code against the ticket; `undefined` if it is wrong, expired, or has no tries left. */
  try(ticket: string): Work | undefined;
  /** The code was right: the ticket is used up. */
  end(ticket: string): void;
}

/** Codes per ticket. */
export const MAX_TRIES = 5;
/** Maximum of tickets; the oldest is dropped. */
export const MAX_TICKETS = 1_000;

export const createSecondSteps = <Work>(
  { clock, hash, random }: Pick<World, "clock" | "hash" | "random">,
  lifeMs: number,
): SecondSteps<Work> => {
  /** By hash, oldest first. */
  const steps = new Map<string, { readonly work: Work; readonly until: number; readonly left: number }>();

  return {
    begin(work) {
      const ticket = newSecret({ random });
      steps.set(hash(ticket), { work, until: clock.monotonic() + lifeMs, left: MAX_TRIES });
      const [oldest] = steps.keys();
      if (steps.size > MAX_TICKETS && oldest !== undefined) steps.delete(oldest);
      return { ticket, expiresAt: clock.now() + lifeMs };
    },

    try(ticket) {
      const key = hash(ticket);
      const step = steps.get(key);
      if (step === undefined) return undefined;
      if (step.left === 0 || clock.monotonic() >= step.until) {
        steps.delete(key);
        return undefined;
      }
      steps.set(key, { ...step, left: step.left - 1 });
      return step.work;
    },

    end(ticket) {
      steps.delete(hash(ticket));
    },
  };
};
