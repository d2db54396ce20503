/** What the form for a new room asks the house for. */
import type { AgentId, AgentRecord, RoomContent } from "@hearth/protocol";

export interface NewRoom {
  readonly name: string;
  /** Who was taken out again. */
  readonly without: ReadonlySet<AgentId>;
}

/** With everybody in it, a room is open: also to who comes to the house later. */
export const newRoomContent = (
  { name, without }: NewRoom,
  me: AgentId,
  agents: readonly AgentRecord[],
): Pick<RoomContent, "name"> & Partial<RoomContent> => {
  const members = agents.map(({ id }) => id).filter((id) => id === me || !without.has(id));
  // Who comes from another house is in what they make, too.
  if (members.length < agents.length && !members.includes(me)) members.unshift(me);
  return { name: name.trim(), kind: "group", ...(members.length === agents.length ? {} : { members }) };
};
