/** Agents that the soul guard halts: how it halts and releases them, and how a turn finds out before it begins. */
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

export const createBrainGuard = (log: Log, stops: () => AgentStops): Guard => ({
  halt({ id, handle }) {
    log.write("warn", "an agent is halted: a change of its brain waits for a decision", { agent: id, handle });
    stops()
      .stop(id, id)
      .catch((error: unknown) => log.write("error", "an agent could not be halted", { agent: id, error }));
  },
  // A STOP that a person said is that person's to end.
  async release({ id }) {
    const isOwn = stops()
      .list()
      .some(({ scope, by }) => scope === id && by === id);
    if (isOwn) await stops().resume(id, id);
  },
});

/** Whether a hand edit of the agent's brain, found now, halts it: then the message waits, as every later one does. */
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
      // The turn meets the same failure, and tells people.
      log.write("warn", "a brain could not be looked at before a turn", { agent: agent.id, error });
    }
    return holds.isHeld(agent.id);
  };
};
