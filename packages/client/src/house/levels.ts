/** Computes the user's levels from the permissions that the house reported. */
import type { HouseRecord, Level, Me, RoomRecord } from "@hearth/protocol";

/**
 * Returns the level on a house or a room, or undefined. For a room that is newer than the
 * permissions, the level follows from its house and members.
 */
export const levelIn = (
  { agent, permissions }: Pick<Me, "agent" | "permissions">,
  place: HouseRecord | RoomRecord,
): Level | undefined => {
  const placeLevel = permissions.find(({ on }) => on === place.id)?.level;
  if (placeLevel !== undefined || place.type === "house") return placeLevel;
  const houseLevel = permissions.find(({ on }) => on === place.house)?.level;
  const { members } = place.content;
  if (members === undefined || houseLevel === "x") return houseLevel;
  return members.includes(agent.id) ? "w" : undefined;
};
