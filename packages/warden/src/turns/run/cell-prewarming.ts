/** Opens the cells that are about to be needed: a cell takes longer to open than a message to be kept. */
import type { Pool } from "../../cells/index.ts";
import type { AudienceOf, Records } from "../../people/index.ts";
import type { Holds } from "../../policy/index.ts";
import type { Row } from "../../kernel/index.ts";
import type { AgentId } from "@hearth/protocol";

export interface CellPrewarmingOptions {
  readonly records: Pick<Records, "find">;
  readonly audienceOf: AudienceOf;
  readonly holds: Pick<Holds, "isHeld">;
  readonly pool: Pick<Pool, "warm">;
}

/** Told who wakes, before that is durable. Never throws: whoever sits down meets the same failure. */
export const createCellPrewarming = (
  options: CellPrewarmingOptions,
): ((rows: readonly Pick<Row<"activations">, "agent" | "room" | "state" | "ready_at">[]) => void) => {
  const { records, audienceOf, holds, pool } = options;

  const warm = async (agentId: string, roomId: string): Promise<void> => {
    const [agent, room] = await Promise.all([records.find("agent", agentId), records.find("room", roomId)]);
    if (agent !== undefined && room !== undefined) pool.warm(agent, await audienceOf(agent, room));
  };

  return (rows) => {
    for (const { agent, room, state, ready_at } of rows) {
      // Of those that wait for a silence most come to nothing, and whoever is stopped begins nothing.
      if (state !== "queued" || ready_at > 0 || holds.isHeld(agent as AgentId)) continue;
      warm(agent, room).catch(() => {});
    }
  };
};
