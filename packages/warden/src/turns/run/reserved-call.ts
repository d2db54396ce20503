/** Makes one model call within a budget reservation, and releases what the call did not use. */
import type { CallReservation } from "../../policy/index.ts";
import type { Catalog } from "../../models/index.ts";
import { isHearthError, noUsage, toErrorBody } from "@hearth/protocol";
import { callModel, type ModelCall, type ModelOutcome } from "./model-call.ts";

/** Makes the call. Without a reservation, the call is not charged. */
export const callWithReservation = async (
  reservation: CallReservation | undefined,
  resolve: Catalog["resolve"],
  call: ModelCall,
): Promise<ModelOutcome> => {
  if (reservation === undefined) return callModel(call);
  try {
    const cheaperModel = reservation.model === undefined ? undefined : await resolve(reservation.model);
    const outcome = await callModel({
      ...call,
      provider: cheaperModel?.provider ?? call.provider,
      chargeGate: reservation.chargeGate,
      request: {
        ...call.request,
        maxOutputTokens: reservation.maxOutputTokens,
        ...(cheaperModel === undefined ? {} : { model: cheaperModel.model }),
      },
    });
    const model = (outcome.kind === "message" ? outcome.model : undefined) ?? reservation.model;
    return outcome.kind === "error" || model === undefined ? outcome : { ...outcome, model };
  } catch (error) {
    // The cheaper model could not be resolved.
    if (!isHearthError(error)) throw error;
    return { kind: "error", error: toErrorBody(error), usage: noUsage };
  } finally {
    reservation.close();
  }
};
