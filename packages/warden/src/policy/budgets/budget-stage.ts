/** The budget stage: reserves money and tokens for model calls. */
import type { Records } from "../../people/index.ts";
import { type Place, RoomId } from "@hearth/protocol";
import type { Budgets } from "./house-budgets.ts";
import { ALLOWED, type Stage } from "../effect.ts";
import type { PayingTurn } from "./budget-limits.ts";
import { type PayingSources, payingTurns } from "./paying-turns.ts";

export const createBudgetStage =
  (
    options: PayingSources & {
      readonly budgets: Pick<Budgets, "admit">;
      readonly records: Pick<Records, "get">;
    },
  ): Stage =>
  async (effect) => {
    if (effect.kind !== "model") return ALLOWED;
    const { activation, place, models, inputTokens, maxOutputTokens, isChild, isHeartbeat, signal } = effect;
    const agent = await options.records.get("agent", effect.agent.id);
    const turns = isChild
      ? await payingTurns(activation, agent, options)
      : [{ activation, agent, ...roomOf(place), ...(isHeartbeat === true ? { isHeartbeat } : {}) }];
    const admission = await options.budgets.admit({ agent, turns, models, inputTokens, maxOutputTokens, signal });
    switch (admission.kind) {
      case "allowed":
        return { verdict: "allowed", reservation: admission.reservation };
      case "ask":
        return { verdict: "ask", reservation: admission.reservation, text: admission.text, fields: [] };
      case "stop":
        return { verdict: "stopped", text: admission.text, hint: admission.hint };
      case "aborted":
        return { verdict: "stopped", text: "It was stopped." };
    }
  };

/**
 * Returns the room of a turn, or no field if its place is not a room. A turn that no other turn
 * requested acts in its room.
 */
const roomOf = (place: Place): Pick<PayingTurn, "room"> => {
  const room = RoomId.safeParse(place).data;
  return room === undefined ? {} : { room };
};
