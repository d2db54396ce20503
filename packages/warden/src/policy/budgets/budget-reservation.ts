/** A call of a model that was let on: one hold after the other, for each request that it makes, and never two at once. */
import type { RequestOutcome } from "../../models/index.ts";
import { type Amount, type ErrorBody, noUsage } from "@hearth/protocol";
import type { Paid } from "./budget-need.ts";
import type { Terms } from "../effect.ts";

/** What is held back for one request. */
export interface Hold {
  readonly maxOutputTokens: number;
  /** Whether a request to this model, with an answer as long, takes no more than this. */
  covers(model: string): boolean;
  priceOf(model: string, came: RequestOutcome): Paid;
  settle(paid: Amount): void;
}

export interface ReservationOptions {
  readonly first: Hold;
  /** Asked in place of its own. */
  readonly model: string | undefined;
  /** For a request after the first that was paid for: it has to fit anew. May wait for calls of others. */
  readonly again: (model: string, signal: AbortSignal) => Promise<Hold | { readonly error: ErrorBody }>;
}

export const createReservation = ({ first, model: other, again }: ReservationOptions): Terms => {
  /** Nobody asks with it at the moment. */
  let free: Hold | undefined = first;
  let isClosed = false;

  const take = async (model: string, signal: AbortSignal): Promise<Hold | { readonly error: ErrorBody }> => {
    const hold = free;
    free = undefined;
    if (hold?.covers(model) === true) return hold;
    // Whoever waits for others holds nothing that they may wait for.
    hold?.settle(NOTHING);
    return again(model, signal);
  };

  return {
    ...(other === undefined ? {} : { model: other }),
    maxOutputTokens: first.maxOutputTokens,
    toll: {
      async begin(model, signal) {
        const hold = await take(model, signal);
        if ("error" in hold) return hold;
        let isOpen = true;
        return {
          maxOutputTokens: hold.maxOutputTokens,
          settle(came) {
            if (!isOpen) return came.usage ?? noUsage;
            isOpen = false;
            const { isEstimated, usage, ...paid } = hold.priceOf(model, came);
            // What cost nothing leaves its hold to the next attempt: nobody takes its place meanwhile.
            if (paid.tokens === 0 && paid.money === 0 && free === undefined && !isClosed) free = hold;
            else hold.settle(paid);
            return {
              ...usage,
              ...(paid.money === 0 ? {} : { cost: paid.money }),
              ...(isEstimated ? { estimated: true } : {}),
            };
          },
        };
      },
    },
    close() {
      isClosed = true;
      free?.settle(NOTHING);
      free = undefined;
    },
  };
};

const NOTHING: Amount = { tokens: 0, money: 0 };
