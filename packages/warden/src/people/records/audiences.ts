/** Determines the audience of an agent's work in a room. */
import type { AgentRecord, Audience, RoomId, RoomRecord } from "@hearth/protocol";
import type { Permissions } from "../permissions/house-permissions.ts";
import type { Records } from "./records.ts";

/**
 * Returns the audience. It is `private` only if all readers of the room except the agent are people
 * who decide in the agent's house.
 */
export type AudienceOf = (agent: AgentRecord, room: RoomRecord) => Promise<Audience>;

/**
 * Whether text from one room may be shown to an agent in another room: all readers of the target
 * room, except the agent, must be readers of the source room. Text of a removed room is shown only
 * in private.
 */
export type MayCarry = (agent: AgentRecord, from: RoomId, to: RoomRecord) => Promise<boolean>;

/**
 * Returns the room that an agent means by this name: a handle in its own house, or an id in any
 * house.
 */
export const findRoomByName = async (
  records: Pick<Records, "find">,
  { house }: Pick<AgentRecord, "house">,
  name: string,
): Promise<RoomRecord | undefined> => {
  const roomName = name.trim().replace(/^#/, "");
  return (await records.find("room", roomName, house)) ?? records.find("room", roomName);
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
    const [originReaders, currentReaders] = await Promise.all([
      permissions.readers([origin]),
      permissions.readers([to]),
    ]);
    return [...currentReaders].every((reader) => reader === agent.id || originReaders.has(reader));
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
