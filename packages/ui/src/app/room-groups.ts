/** The rooms of the side bar, in its groups. Pure. */
import type { RoomEntry } from "@hearth/client";
import { isPathOfRoom } from "../house/paths.ts";

export interface RoomGroups {
  readonly pinned: readonly RoomEntry[];
  /** Direct rooms. */
  readonly recent: readonly RoomEntry[];
  readonly groups: readonly RoomEntry[];
  readonly archived: readonly RoomEntry[];
}

/**
 * Groups the rooms, and keeps their order. Leaves out new chats without a message, except the open one.
 * `currentPath`: a decoded path.
 */
export const groupRooms = (rooms: readonly RoomEntry[], currentPath: string): RoomGroups => {
  const shownRooms = rooms.filter(
    ({ room, head }) => room.content.titleFrom !== "next" || head > 0 || isPathOfRoom(currentPath, room.handle),
  );
  const groupOf = ({ room, isPinned, isArchived }: RoomEntry): keyof RoomGroups => {
    if (isArchived) return "archived";
    if (isPinned) return "pinned";
    return room.content.kind === "direct" ? "recent" : "groups";
  };
  const entriesIn = (group: keyof RoomGroups): readonly RoomEntry[] =>
    shownRooms.filter((entry) => groupOf(entry) === group);
  return {
    pinned: entriesIn("pinned"),
    recent: entriesIn("recent"),
    groups: entriesIn("groups"),
    archived: entriesIn("archived"),
  };
};

/** Returns the listed rooms from top to bottom, without the archived ones. */
export const flattenGroups = ({ pinned, recent, groups }: RoomGroups): readonly RoomEntry[] => [
  ...pinned,
  ...recent,
  ...groups,
];
