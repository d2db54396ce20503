/** The request that creates a room. */
import type { AgentId, AgentRecord, RoomContent } from "@hearth/protocol";

export interface NewRoom {
  readonly name: string;
  /** Members that the user removed. */
  readonly excludedIds: ReadonlySet<AgentId>;
}

/**
 * Returns the content of the new room. If everyone is selected, the room is open to the house,
 * including future members.
 */
export const createRoomContent = (
  { name, excludedIds }: NewRoom,
  me: AgentId,
  agents: readonly AgentRecord[],
): Pick<RoomContent, "name"> & Partial<RoomContent> => {
  const members = agents.map(({ id }) => id).filter((id) => id === me || !excludedIds.has(id));
  // The creator may come from another house.
  if (members.length < agents.length && !members.includes(me)) members.unshift(me);
  return { name: name.trim(), kind: "group", ...(members.length === agents.length ? {} : { members }) };
};
