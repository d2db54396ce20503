/** Up to where a person has read each room on this device. Marks only go forward, also between tabs. */
import type { RoomHead, RoomId } from "@hearth/protocol";
import type { Storage } from "../storage.ts";

export interface ReadMarks extends Disposable {
  /** 0 for a room of which nothing was read. */
  of(room: RoomId): number;
  /** Whether that moved the mark. */
  mark(room: RoomId, offset: number): boolean;
  /** On the first visit of this device: what is there counts as read. */
  begin(heads: readonly RoomHead[]): void;
}

const PREFIX = "read:";

/** `onChange` is called when another tab moved some. */
export const createReadMarks = (storage: Storage, onChange: () => void): ReadMarks => {
  /** Goes on where the storage has no space. */
  const marks = new Map<RoomId, number>();

  const of = (room: RoomId): number => {
    const kept = Number(storage.get(PREFIX + room) ?? 0);
    return Math.max(marks.get(room) ?? 0, Number.isSafeInteger(kept) ? kept : 0);
  };
  const put = (room: RoomId, offset: number): void => {
    marks.set(room, offset);
    try {
      storage.set(PREFIX + room, String(offset));
    } catch {
      // No space: it is remembered until the page is closed.
    }
  };

  return {
    of,
    mark(room, offset) {
      if (offset <= of(room)) return false;
      put(room, offset);
      return true;
    },
    begin(heads) {
      if (storage.names().some((name) => name.startsWith(PREFIX))) return;
      for (const { room, head } of heads) put(room, head);
    },
    [Symbol.dispose]: storage.onChange(onChange),
  };
};
