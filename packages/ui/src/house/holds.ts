/** Finds the stop that applies to an agent. Pure. */
import type { AgentId, Hold } from "@hearth/protocol";

/** Returns the stop of this agent, or else the stop of all agents. */
export const holdOf = (holds: readonly Hold[], agent: AgentId): Hold | undefined =>
  findHold(holds, agent) ?? findHold(holds, "house");

export const findHold = (holds: readonly Hold[], scope: Hold["scope"]): Hold | undefined =>
  holds.find((hold) => hold.scope === scope);
