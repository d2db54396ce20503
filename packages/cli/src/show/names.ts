/** Caches the names of agents and reloads them when an unknown id appears. */
import type { Client } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";

export interface Names {
  /** Returns the agent's name, or the id of a removed agent. */
  get(id: AgentId): Promise<string>;
}

export const createNames = async (client: Client): Promise<Names> => {
  const known = new Map<AgentId, string>();
  const learn = async (): Promise<void> => {
    for (const { id, content } of await client.agents.list()) known.set(id, content.name);
  };
  await learn();
  return {
    async get(id) {
      if (!known.has(id)) {
        await learn();
        if (!known.has(id)) known.set(id, id);
      }
      return known.get(id) ?? id;
    },
  };
};
