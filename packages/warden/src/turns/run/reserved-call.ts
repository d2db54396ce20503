/**
 * Makes one model call within the budget reservation of its approval, and releases the rest of the
 * reservation.
 */
import type { Terms } from "../../policy/index.ts";
import type { Catalog } from "../../models/index.ts";
import { isHearthError, noUsage, toErrorBody } from "@hearth/protocol";
import { callModel, type ModelCall, type ModelOutcome } from "./model-call.ts";

/** Without a reservation nothing is counted. */
export const callWithReservation = async (
  terms: Terms | undefined,
  resolve: Catalog["resolve"],
  call: ModelCall,
): Promise<ModelOutcome> => {
  if (terms === undefined) return callModel(call);
  try {
    const other = terms.model === undefined ? undefined : await resolve(terms.model);
    const outcome = await callModel({
      ...call,
      provider: other?.provider ?? call.provider,
      chargeGate: terms.chargeGate,
      request: {
        ...call.request,
        maxOutputTokens: terms.maxOutputTokens,
        ...(other === undefined ? {} : { model: other.model }),
      },
    });
    const model = (outcome.kind === "message" ? outcome.model : undefined) ?? terms.model;
    return outcome.kind === "error" || model === undefined ? outcome : { ...outcome, model };
  } catch (error) {
    // The cheaper model could not be resolved.
    if (!isHearthError(error)) throw error;
    return { kind: "error", error: toErrorBody(error), usage: noUsage };
  } finally {
    terms.close();
  }
};
