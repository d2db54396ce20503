/** Whose eyes an agent's work in a room is for. */
import type { AgentRecord, Audience, RoomId, RoomRecord } from "@hearth/protocol";
import type { Permissions } from "../permissions/permissions.ts";
import type { Records } from "./records.ts";

/** `private` only where everyone but the agent who may read the room is a person who decides in the agent's house. */
export type AudienceOf = (agent: AgentRecord, room: RoomRecord) => Promise<Audience>;

/**
 * Whether text that was written in one room may be shown to an agent in another: everyone who may read the room where it is
 * shown, but for the agent, may read the room where it was written. From a room that is gone it is shown in private alone.
 */
export type MayCarry = (agent: AgentRecord, from: RoomId, to: RoomRecord) => Promise<boolean>;

/** The room that an agent means by this name: a handle in its own house, or an id anywhere. */
export const findRoomByName = async (
  records: Pick<Records, "find">,
  { house }: Pick<AgentRecord, "house">,
  name: string,
): Promise<RoomRecord | undefined> => {
  const wanted = name.trim().replace(/^#/, "");
  return (await records.find("room", wanted, house)) ?? records.find("room", wanted);
};

export const createMayCarry =
  (options: {
    readonly permissions: Pick<Permissions, "readers">;
    readonly records: Pick<Records, "find">;
    readonly audienceOf: AudienceOf;
  }): MayCarry =>
  async (agent, from, to) => {
    const { permissions, records, audienceOf } = options;
    if (from === to.id) return true;
    const origin = await records.find("room", from);
    if (origin === undefined) return (await audienceOf(agent, to)) === "private";
    const [meant, present] = await Promise.all([permissions.readers([origin]), permissions.readers([to])]);
    return [...present].every((reader) => reader === agent.id || meant.has(reader));
  };

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
