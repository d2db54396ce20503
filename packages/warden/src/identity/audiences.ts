/** Whose eyes an agent's work in a room is for. */
import type { AgentRecord, Audience, RoomRecord } from "@hearth/protocol";
import type { Permissions } from "./permissions.ts";
import type { Records } from "./records.ts";

/** `private` only where everyone but the agent who may read the room is a person who decides in the agent's house. */
export type AudienceOf = (agent: AgentRecord, room: RoomRecord) => Promise<Audience>;

export const createAudiences = (options: {
  readonly permissions: Pick<Permissions, "readers" | "levelOf">;
  readonly records: Pick<Records, "find">;
}): AudienceOf => {
  const { permissions, records } = options;
  return async (agent, room) => {
    for (const reader of await permissions.readers([room])) {
      if (reader === agent.id) continue;
      const person = await records.find("agent", reader);
      const decides = (await permissions.levelOf({ agent: reader }, agent.house)) === "x";
      if (person?.content.kind !== "human" || !decides) return `room:${room.id}`;
    }
    return "private";
  };
};
