/** What who reads may do, by what the house has said of it. */
import type { HouseRecord, Level, Me, RoomRecord } from "@hearth/protocol";

/** The level at a house or a room; nothing where there is none. A room that is newer than what was said follows its house and its members. */
export const levelIn = (
  { agent, permissions }: Pick<Me, "agent" | "permissions">,
  place: HouseRecord | RoomRecord,
): Level | undefined => {
  const said = permissions.find(({ on }) => on === place.id)?.level;
  if (said !== undefined || place.type === "house") return said;
  const inHouse = permissions.find(({ on }) => on === place.house)?.level;
  const { members } = place.content;
  if (members === undefined || inHouse === "x") return inHouse;
  return members.includes(agent.id) ? "w" : undefined;
};
