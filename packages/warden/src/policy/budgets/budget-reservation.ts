/** The reservations of one admitted model call: one per request, and never two at once. */
import type { RequestOutcome } from "../../models/index.ts";
import { type ErrorBody, noUsage } from "@hearth/protocol";
import type { BookedAmount } from "./budget-need.ts";
import type { CallReservation } from "../effect.ts";

/** A reservation for one request. */
export interface RequestReservation {
  readonly maxOutputTokens: number;
  /**
   * Whether the cost of a request to this model, with an answer of this length, fits this
   * reservation.
   */
  covers(model: string): boolean;
  priceOf(model: string, came: RequestOutcome): BookedAmount;
  /** Replaces the reservation by the amount of the request that this model answered. */
  charge(model: string, booked: BookedAmount): void;
  /** Ends the reservation. Nothing is charged. */
  release(): void;
}

export interface ReservationOptions {
  readonly first: RequestReservation;
  /** The model to call instead of the requested one. */
  readonly model: string | undefined;
  /**
   * Reserves a further request after one that cost something. The request must fit again and may
   * wait for other calls.
   */
  readonly reserveAgain: (
    model: string,
    signal: AbortSignal,
  ) => Promise<RequestReservation | { readonly error: ErrorBody }>;
}

export const createReservation = ({ first, model: other, reserveAgain }: ReservationOptions): CallReservation => {
  /** The reservation that no request uses at present. */
  let free: RequestReservation | undefined = first;
  let isClosed = false;

  const take = async (
    model: string,
    signal: AbortSignal,
  ): Promise<RequestReservation | { readonly error: ErrorBody }> => {
    const hold = free;
    free = undefined;
    if (hold?.covers(model) === true) return hold;
    // The reservation is released during the wait for other calls, because it could cause a
    // deadlock.
    hold?.release();
    return reserveAgain(model, signal);
  };

  return {
    ...(other === undefined ? {} : { model: other }),
    maxOutputTokens: first.maxOutputTokens,
    chargeGate: {
      async begin(model, signal) {
        const hold = await take(model, signal);
        if ("error" in hold) return hold;
        let isOpen = true;
        return {
          maxOutputTokens: hold.maxOutputTokens,
          settle(came) {
            if (!isOpen) return came.usage ?? noUsage;
            isOpen = false;
            const booked = hold.priceOf(model, came);
            const { isEstimated, usage, tokens, money } = booked;
            // If a request cost nothing, the next attempt uses its reservation.
            if (tokens === 0 && money === 0 && free === undefined && !isClosed) free = hold;
            else hold.charge(model, booked);
            return {
              ...usage,
              ...(money === 0 ? {} : { cost: money }),
              ...(isEstimated ? { estimated: true } : {}),
            };
          },
        };
      },
    },
    close() {
      isClosed = true;
      free?.release();
      free = undefined;
    },
  };
};
