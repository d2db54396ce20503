/** Refuses bots where only people may have a credential. */
import { type AgentRecord, HearthError } from "@hearth/protocol";

/** Throws `auth.denied` for a bot. `credentials` names what it asked for, such as "passkeys". */
export const requirePerson = (agent: AgentRecord, credentials: string): AgentRecord => {
  if (agent.content.kind === "human") return agent;
  throw new HearthError("auth.denied", `Only people can have ${credentials}.`, {
    hint: `A bot authenticates with a key: hearth key create --agent ${agent.handle}`,
  });
};
