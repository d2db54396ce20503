/** Holds the rooms of a house in display order, with their unread state. Sends no requests. */
import type { AgentId, RoomHead, RoomId, RoomRecord, StoredRoomEvent } from "@hearth/protocol";
import { reuseIfEqual } from "../room/activity.ts";
import type { RoomEntry } from "./house.ts";
import type { RoomViewsReader } from "./room-views.ts";

export interface RoomBoard {
  /** Replaces the list of rooms. A newer record on the board stays. */
  setRooms(rooms: readonly RoomRecord[]): void;
  /** Drops rooms for which `isKept` returns false. */
  retain(isKept: (room: RoomId) => boolean): void;
  put(room: RoomRecord): void;
  drop(room: RoomId): void;
  get(room: RoomId): RoomRecord | undefined;
  /** Takes heads from the house. A newer head on the board stays. */
  setHeads(heads: readonly RoomHead[]): void;
  /**
   * Marks the room as followed. Returns the offset after which to follow, so that the board sees
   * who wrote the unread messages.
   */
  follow(room: RoomId): number;
  unfollow(room: RoomId): void;
  /** Handles a restart of the room's stream, which may be shorter than before. */
  restart(room: RoomId): void;
  applyEvent(event: StoredRoomEvent): void;
  entries(): readonly RoomEntry[];
}

export interface RoomBoardOptions {
  readonly me: () => AgentId | undefined;
  readonly markOf: (room: RoomId) => number;
  readonly viewOf: RoomViewsReader["viewOf"];
}

/**
 * Maximum number of events of a room that are searched for messages of others. A room with more
 * events counts as unread.
 */
const MAX_SEARCHED_EVENTS = 50;

interface Head {
  readonly offset: number;
  readonly at: number | undefined;
}

const EMPTY_HEAD: Head = { offset: 0, at: undefined };

export const createRoomBoard = ({ me, markOf, viewOf }: RoomBoardOptions): RoomBoard => {
  const rooms = new Map<RoomId, RoomRecord>();
  const heads = new Map<RoomId, Head>();
  /** The last message of another author in each followed room. */
  const lastFromOthers = new Map<RoomId, number>();
  const entriesById = new Map<RoomId, RoomEntry>();
  let shownEntries: readonly RoomEntry[] = [];

  const headOf = (room: RoomId): Head => heads.get(room) ?? EMPTY_HEAD;
  const advance = (room: RoomId, head: Head): void => {
    if (head.offset > headOf(room).offset) heads.set(room, head);
  };

  const toEntry = (room: RoomRecord): RoomEntry => {
    const { offset: head, at: lastEventAt } = headOf(room.id);
    const isUnread = (lastFromOthers.get(room.id) ?? head) > markOf(room.id);
    const knownEntry = entriesById.get(room.id);
    const { isPinned, isArchived } = viewOf(room.id, head);
    const entry = { room, head, lastEventAt, isUnread, isPinned, isArchived };
    if (knownEntry !== undefined && isSame(knownEntry, entry)) return knownEntry;
    entriesById.set(room.id, entry);
    return entry;
  };

  return {
    setRooms(newRooms) {
      const listedIds = new Set(newRooms.map(({ id }) => id));
      for (const id of [...rooms.keys()]) if (!listedIds.has(id)) rooms.delete(id);
      for (const room of newRooms) if (room.version >= (rooms.get(room.id)?.version ?? 0)) rooms.set(room.id, room);
    },
    retain(isKept) {
      for (const id of [...rooms.keys()]) if (!isKept(id)) rooms.delete(id);
    },
    put: (room) => {
      rooms.set(room.id, room);
    },
    drop: (room) => {
      rooms.delete(room);
    },
    get: (room) => rooms.get(room),
    setHeads(newHeads) {
      for (const { room, head, at } of newHeads) advance(room, { offset: head, at });
    },
    follow(room) {
      const mark = markOf(room);
      const head = headOf(room).offset;
      // After a restore from a backup, a mark may lie beyond the room's head.
      const start = Math.min(head, Math.max(mark, head - MAX_SEARCHED_EVENTS));
      lastFromOthers.set(room, start > mark ? start : 0);
      return start;
    },
    unfollow: (room) => {
      lastFromOthers.delete(room);
    },
    restart(room) {
      heads.delete(room);
      lastFromOthers.set(room, 0);
    },
    applyEvent(event) {
      const { room, offset, at } = event;
      if (room === undefined) return;
      advance(room, { offset, at });
      if (event.type === "message" && event.author !== me())
        lastFromOthers.set(room, Math.max(lastFromOthers.get(room) ?? 0, offset));
    },
    entries() {
      shownEntries = reuseIfEqual(shownEntries, [...rooms.values()].map(toEntry).sort(byRecency));
      return shownEntries;
    },
  };
};

/** Compares rooms: latest message first, then by name. */
const byRecency = (a: RoomEntry, b: RoomEntry): number =>
  (b.lastEventAt ?? 0) - (a.lastEventAt ?? 0) || a.room.content.name.localeCompare(b.room.content.name);

const isSame = (a: RoomEntry, b: RoomEntry): boolean =>
  (Object.keys(a) as (keyof RoomEntry)[]).every((field) => a[field] === b[field]);
