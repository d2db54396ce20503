/** Finds the turns that pay for a model call: the calling turn and all turns that requested it. */
import type { Records } from "../../people/index.ts";
import type { Store, Row } from "../../kernel/index.ts";
import type { ActivationId, AgentRecord } from "@hearth/protocol";
import type { PayingTurn } from "./budget-limits.ts";

export interface PayingSources {
  readonly records: Pick<Records, "find">;
  readonly store: Pick<Store, "select">;
}

/** Returns the paying turns. The calling turn is the first. */
export const payingTurns = async (
  activation: ActivationId,
  agent: AgentRecord,
  { records, store }: PayingSources,
): Promise<readonly PayingTurn[]> => {
  let [row] = await store.select({ table: "activations", where: { id: activation } });
  const turns: PayingTurn[] = [{ activation, agent, ...kindOf(row) }];
  while (row !== undefined && row.parent !== null) {
    [row] = await store.select({ table: "activations", where: { id: row.parent } });
    const parent = row === undefined ? undefined : await records.find("agent", row.agent);
    if (row !== undefined && parent !== undefined) turns.push({ activation: row.id, agent: parent, ...kindOf(row) });
  }
  return turns;
};

const kindOf = (
  row: Pick<Row<"activations">, "trigger" | "room"> | undefined,
): Pick<PayingTurn, "isHeartbeat" | "room"> =>
  row === undefined ? {} : { room: row.room, ...(row.trigger === "heartbeat" ? { isHeartbeat: true } : {}) };
