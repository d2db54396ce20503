/** Stops of agents. Pure. */
import type { AgentId, Hold } from "@hearth/protocol";

/** The agent's own stop, which takes precedence, or the stop of all agents. */
export const holdOf = (holds: readonly Hold[], agent: AgentId): Hold | undefined =>
  findHold(holds, agent) ?? findHold(holds, "house");

export const findHold = (holds: readonly Hold[], scope: Hold["scope"]): Hold | undefined =>
  holds.find((hold) => hold.scope === scope);
