/**
 * Work that waits for a code of the person: the second step of a login, and the set-up of an
 * authenticator app. It is kept only in memory, in limited number, for some minutes and a few
 * codes.
 */
import type { World } from "@hearth/protocol";
import { newSecret } from "./secret.ts";

export interface SecondSteps<Work> {
  /** Returns the ticket that `try` takes. */
  begin(work: Work): { readonly ticket: string; readonly expiresAt: number };
  /**
   * Counts one code against the ticket. Returns `undefined` if the ticket is wrong, has expired,
   * or has no attempts left.
   */
  try(ticket: string): Work | undefined;
  /** Uses up the ticket, because the code was right. */
  end(ticket: string): void;
}

/** Maximum number of codes per ticket. */
export const MAX_TRIES = 5;
/** Maximum number of tickets. The oldest is dropped. */
export const MAX_TICKETS = 1_000;

export const createSecondSteps = <Work>(
  { clock, hash, random }: Pick<World, "clock" | "hash" | "random">,
  lifeMs: number,
): SecondSteps<Work> => {
  /** By hash, oldest first. */
  const steps = new Map<string, { readonly work: Work; readonly until: number; readonly remainingTries: number }>();

  return {
    begin(work) {
      const ticket = newSecret({ random });
      steps.set(hash(ticket), { work, until: clock.monotonic() + lifeMs, remainingTries: MAX_TRIES });
      const [oldest] = steps.keys();
      if (steps.size > MAX_TICKETS && oldest !== undefined) steps.delete(oldest);
      return { ticket, expiresAt: clock.now() + lifeMs };
    },

    try(ticket) {
      const key = hash(ticket);
      const step = steps.get(key);
      if (step === undefined) return undefined;
      if (step.remainingTries === 0 || clock.monotonic() >= step.until) {
        steps.delete(key);
        return undefined;
      }
      steps.set(key, { ...step, remainingTries: step.remainingTries - 1 });
      return step.work;
    },

    end(ticket) {
      steps.delete(hash(ticket));
    },
  };
};
