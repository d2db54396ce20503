/** Opens the cells of new activations early, because opening a cell takes longer than a commit. */
import type { Pool } from "../../cells/index.ts";
import type { AudienceOf, Records } from "../../people/index.ts";
import type { Holds } from "../../policy/index.ts";
import type { Row } from "../../kernel/index.ts";

export interface CellPrewarmingOptions {
  readonly records: Pick<Records, "find">;
  readonly audienceOf: AudienceOf;
  readonly holds: Pick<Holds, "isHeld">;
  readonly pool: Pick<Pool, "warm">;
}

/**
 * The returned function receives new activations before they are durable. It never throws: if a
 * cell cannot open, the activation reports the same failure when it acquires the cell.
 */
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
      // Most activations that wait for a silence never run, and a stopped agent begins nothing.
      if (state !== "queued" || ready_at > 0 || holds.isHeld(agent)) continue;
      warm(agent, room).catch(() => {});
    }
  };
};
