/**
 * Wraps the model for programs in an agent's cell. Each call must fit the agent's budgets like a
 * call of the turn, and is booked there. A call that would need approval is refused, because a
 * program does not wait for a person.
 */
import type { Catalog, Provider } from "../../models/index.ts";
import type { ActivationId, AgentRecord, ErrorBody, ModelEvent } from "@hearth/protocol";
import { tokensAtMost } from "./budget-estimate.ts";
import type { Admission, Budgets } from "./house-budgets.ts";
import { type PayingSources, payingTurns } from "./paying-turns.ts";

export interface PaidCalls {
  readonly agent: AgentRecord;
  readonly activation: ActivationId;
  /** The models that may answer, as `provider/model`. */
  readonly models: readonly string[];
}

/** Wraps a provider so that a turn pays for each of its calls. */
export type Pay = (provider: Provider, calls: PaidCalls) => Provider;

export interface PayOptions extends PayingSources {
  readonly budgets: Pick<Budgets, "admit">;
  readonly resolve: Catalog["resolve"];
}

export const createPay = (options: PayOptions): Pay => {
  const { budgets, resolve } = options;
  return (provider, { agent, activation, models }) => ({
    ...provider,
    async *stream(request, signal, context) {
      const inputTokens = tokensAtMost(request, JSON.stringify(request));
      const turns = await payingTurns(activation, agent, options);
      const { maxOutputTokens } = request;
      const admission = await budgets.admit({
        agent,
        turns,
        isProgram: true,
        models,
        inputTokens,
        maxOutputTokens,
        signal,
      });
      if (admission.kind !== "allowed") {
        if (admission.kind === "ask") admission.reservation.close();
        yield { type: "error", error: toRefusal(admission) };
        return;
      }
      const { reservation } = admission;
      try {
        const cheaperModel = reservation.model === undefined ? undefined : await resolve(reservation.model);
        const limitedRequest = { ...request, maxOutputTokens: reservation.maxOutputTokens };
        yield* cheaperModel === undefined
          ? provider.stream(limitedRequest, signal, { ...context, chargeGate: reservation.chargeGate })
          : withModelName(
              cheaperModel.provider.stream({ ...limitedRequest, model: cheaperModel.model }, signal, {
                ...context,
                chargeGate: reservation.chargeGate,
              }),
              reservation.model,
            );
      } finally {
        reservation.close();
      }
    },
  });
};

/** Adds the name of the model that answered, if it is not the requested one. */
const withModelName = async function* (
  events: AsyncIterable<ModelEvent>,
  model: string | undefined,
): AsyncGenerator<ModelEvent> {
  for await (const event of events)
    yield event.type !== "end" || model === undefined ? event : { ...event, model: event.model ?? model };
};

const toRefusal = (admission: Exclude<Admission, { kind: "allowed" }>): ErrorBody =>
  admission.kind === "aborted"
    ? { code: "provider.aborted", message: "The call was stopped." }
    : { code: "budget.spent", message: admission.text, hint: admission.hint };
