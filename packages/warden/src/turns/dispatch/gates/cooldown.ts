/** The second gate of ambient agents: an agent that has just spoken stays quiet. Pure. */
import type { AgentRecord, StoredMessage } from "@hearth/protocol";

export const hasCooldown = ({ content }: AgentRecord): boolean => content.ambient?.cooldown !== false;

/** `last` holds the latest messages of the room. */
export const isCoolingDown = (agent: AgentRecord, last: readonly StoredMessage[]): boolean =>
  hasCooldown(agent) && last.some(({ author }) => author === agent.id);
