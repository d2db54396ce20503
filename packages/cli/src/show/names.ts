/** Caches the names of agents and reloads them when an unknown id appears. */
import type { Client } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";

export interface Names {
  /** Returns the agent's name, or the id of a removed agent. */
  get(id: AgentId): Promise<string>;
}

export const createNames = async (client: Client): Promise<Names> => {
  const namesById = new Map<AgentId, string>();
  const loadNames = async (): Promise<void> => {
    for (const { id, content } of await client.agents.list()) namesById.set(id, content.name);
  };
  await loadNames();
  return {
    async get(id) {
      if (!namesById.has(id)) {
        await loadNames();
        if (!namesById.has(id)) namesById.set(id, id);
      }
      return namesById.get(id) ?? id;
    },
  };
};
