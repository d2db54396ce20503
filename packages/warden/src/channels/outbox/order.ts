/**
 * Orders the waiting rows of a conversation by their order in the room. The order of planning is
 * not reliable: when two agents end at the same time, the first one planned may be committed
 * second.
 */
import type { OutboxRow } from "../../kernel/index.ts";

/**
 * Sorts the rows. `offsets` maps each event to its offset in the room. Rows of one room stay
 * together, and the room that was planned first comes first.
 */
export const sortInRoomOrder = (
  rows: readonly OutboxRow[],
  offsets: ReadonlyMap<string, number>,
): readonly OutboxRow[] => {
  const firstPlaces = new Map<string, number>();
  for (const { room, place } of rows) {
    const key = room ?? "";
    firstPlaces.set(key, Math.min(firstPlaces.get(key) ?? Infinity, place));
  }
  const keysOf = (row: OutboxRow): readonly number[] => [
    firstPlaces.get(row.room ?? "") ?? 0,
    offsets.get(row.event ?? "") ?? 0,
    row.place,
  ];
  return rows.toSorted((a, b) => {
    const keysOfB = keysOf(b);
    for (const [index, keyOfA] of keysOf(a).entries()) {
      const difference = keyOfA - (keysOfB[index] ?? 0);
      if (difference !== 0) return difference;
    }
    return a.id < b.id ? -1 : 1;
  });
};
