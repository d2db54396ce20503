/** The reservations of one admitted model call: one per request, and never two at once. */
import type { RequestOutcome } from "../../models/index.ts";
import { type ErrorBody, noUsage } from "@hearth/protocol";
import type { BookedAmount } from "./call-cost.ts";
import type { CallReservation } from "../effect.ts";

/** A reservation for one request. */
export interface RequestReservation {
  readonly maxOutputTokens: number;
  /**
   * Whether the cost of a request to this model, with an answer of this length, fits this
   * reservation.
   */
  covers(model: string): boolean;
  toBooked(model: string, outcome: RequestOutcome): BookedAmount;
  /** Replaces the reservation by the amount of the request that this model answered. */
  charge(model: string, booked: BookedAmount): void;
  /** Ends the reservation. Nothing is charged. */
  release(): void;
}

export interface ReservationOptions {
  readonly initial: RequestReservation;
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

export const createReservation = ({
  initial,
  model: cheaperModel,
  reserveAgain,
}: ReservationOptions): CallReservation => {
  /** The reservation that no request uses at present. */
  let unusedReservation: RequestReservation | undefined = initial;
  let isClosed = false;

  const takeReservation = async (
    model: string,
    signal: AbortSignal,
  ): Promise<RequestReservation | { readonly error: ErrorBody }> => {
    const reservation = unusedReservation;
    unusedReservation = undefined;
    if (reservation?.covers(model) === true) return reservation;
    // The reservation is released during the wait for other calls, because it could cause a
    // deadlock.
    reservation?.release();
    return reserveAgain(model, signal);
  };

  return {
    ...(cheaperModel === undefined ? {} : { model: cheaperModel }),
    maxOutputTokens: initial.maxOutputTokens,
    chargeGate: {
      async admit(model, signal) {
        const reservation = await takeReservation(model, signal);
        if ("error" in reservation) return reservation;
        let isOpen = true;
        return {
          maxOutputTokens: reservation.maxOutputTokens,
          settle(outcome) {
            if (!isOpen) return outcome.usage ?? noUsage;
            isOpen = false;
            const booked = reservation.toBooked(model, outcome);
            const { isEstimated, usage, tokens, money } = booked;
            // If a request cost nothing, the next attempt uses its reservation.
            if (tokens === 0 && money === 0 && unusedReservation === undefined && !isClosed)
              unusedReservation = reservation;
            else reservation.charge(model, booked);
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
      unusedReservation?.release();
      unusedReservation = undefined;
    },
  };
};
