/** Records how far the user has read each room on this device. Marks only move forward, also between tabs. */
import type { RoomHead, RoomId } from "@hearth/protocol";
import type { Storage } from "../storage.ts";
import { storeIfPossible } from "./remember.ts";

export interface ReadMarks extends Disposable {
  /** Returns the offset up to which the room was read. It is 0 for a room that was never read. */
  offsetOf(room: RoomId): number;
  /** Moves the mark of a room. Returns whether it moved. */
  mark(room: RoomId, offset: number): boolean;
  /** On the first visit of this device, marks all existing events as read. */
  initialize(heads: readonly RoomHead[]): void;
}

const PREFIX = "read:";

/** Calls `onChange` when another tab moved a mark. */
export const createReadMarks = (storage: Storage, onChange: () => void): ReadMarks => {
  /** The marks in memory, which work even if the storage is full. */
  const marks = new Map<RoomId, number>();

  const readOffset = (room: RoomId): number => {
    const storedOffset = Number(storage.get(PREFIX + room) ?? 0);
    return Math.max(marks.get(room) ?? 0, Number.isSafeInteger(storedOffset) ? storedOffset : 0);
  };
  const storeMark = (room: RoomId, offset: number): void => {
    marks.set(room, offset);
    storeIfPossible(storage, PREFIX + room, String(offset));
  };

  return {
    offsetOf: readOffset,
    mark(room, offset) {
      if (offset <= readOffset(room)) return false;
      storeMark(room, offset);
      return true;
    },
    initialize(heads) {
      if (storage.names().some((name) => name.startsWith(PREFIX))) return;
      for (const { room, head } of heads) storeMark(room, head);
    },
    [Symbol.dispose]: storage.onChange(onChange),
  };
};
