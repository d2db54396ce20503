/** Halts agents whose SOUL.md was edited by hand, and checks for such edits before each turn. */
import type { Brains, Guard } from "../../agents/index.ts";
import type { Records } from "../../people/index.ts";
import type { Log, Row } from "../../kernel/index.ts";
import type { Holds } from "../../policy/index.ts";
import type { AgentId, Hold } from "@hearth/protocol";

interface AgentStops {
  list(): readonly Hold[];
  stop(scope: AgentId, by: AgentId): Promise<unknown>;
  resume(scope: AgentId, by: AgentId): Promise<unknown>;
}

export const createBrainGuard = (log: Log, stops: AgentStops): Guard => ({
  halt({ id, handle }) {
    log.write("warn", "agent halted: a change of its brain waits for a decision", { agent: id, handle });
    stops.stop(id, id).catch((error: unknown) => log.write("error", "could not halt an agent", { agent: id, error }));
  },
  // This ends only a halt that the guard made. A person's STOP stays until a person ends it.
  async release({ id }) {
    const isOwn = stops.list().some(({ scope, by }) => scope === id && by === id);
    if (isOwn) await stops.resume(id, id);
  },
});

/** Checks the agent's brain for edits by hand, and returns whether the agent is halted. */
export const createIsHalted = (options: {
  readonly log: Log;
  readonly records: Pick<Records, "find">;
  readonly brains: Pick<Brains, "open">;
  readonly holds: Pick<Holds, "isHeld">;
}): ((row: Row<"activations">) => Promise<boolean>) => {
  const { log, records, brains, holds } = options;
  return async (row) => {
    const agent = row.started_at === null ? await records.find("agent", row.agent) : undefined;
    if (agent === undefined) return false;
    try {
      await (await brains.open(agent)).checkSoul();
    } catch (error) {
      // The turn fails with the same error and reports it to the user.
      log.write("warn", "could not check a brain before a turn", { agent: agent.id, error });
    }
    return holds.isHeld(agent.id);
  };
};
