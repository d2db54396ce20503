/** Updates an agent, and renames its direct room along with it. */
import type { AgentRecord, RoomRecord } from "@hearth/protocol";
import type { Client } from "../client.ts";

export interface ChangeAgentOptions {
  readonly client: {
    readonly agents: Pick<Client["agents"], "update">;
    readonly rooms: Pick<Client["rooms"], "update">;
  };
  readonly agent: AgentRecord;
  readonly rooms: readonly RoomRecord[];
  readonly changes: Readonly<Record<string, string | null>>;
}

export const changeAgent = async ({ client, agent, rooms, changes }: ChangeAgentOptions): Promise<AgentRecord> => {
  const updatedAgent = await client.agents.update(agent.id, { content: changes });
  const { name } = updatedAgent.content;
  if (name === agent.content.name) return updatedAgent;
  for (const { id, content } of rooms) {
    if (content.kind !== "direct" || content.members?.includes(agent.id) !== true) continue;
    if (content.name !== agent.content.name) continue;
    // The agent already has its new name. If another room has that name, the room keeps the old one.
    await client.rooms.update(id, { content: { name } }).catch(() => undefined);
  }
  return updatedAgent;
};
