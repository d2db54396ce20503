/**
 * Which of the rows that wait in a conversation goes first: the order of the room. Where they were planned says little when two agents
 * end at the same time: who was planned first may have been committed second.
 */
import type { OutboxRow } from "../../kernel/index.ts";

/** `offsets`: where each event stands in its room. Rows of one room stay together, the room that was planned for first comes first. */
export const inRoomOrder = (rows: readonly OutboxRow[], offsets: ReadonlyMap<string, number>): readonly OutboxRow[] => {
  const firstPlace = new Map<string, number>();
  for (const { room, place } of rows) {
    const key = room ?? "";
    firstPlace.set(key, Math.min(firstPlace.get(key) ?? Infinity, place));
  }
  const keysOf = (row: OutboxRow): readonly number[] => [
    firstPlace.get(row.room ?? "") ?? 0,
    offsets.get(row.event ?? "") ?? 0,
    row.place,
  ];
  return rows.toSorted((one, other) => {
    const theirs = keysOf(other);
    for (const [index, mine] of keysOf(one).entries()) {
      const difference = mine - (theirs[index] ?? 0);
      if (difference !== 0) return difference;
    }
    return one.id < other.id ? -1 : 1;
  });
};
