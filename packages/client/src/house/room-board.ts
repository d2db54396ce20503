/** The rooms of a house with what is new in them, in order. Asks nobody. */
import type { AgentId, RoomHead, RoomId, RoomRecord, StoredRoomEvent } from "@hearth/protocol";
import { keep } from "../room/activity.ts";
import type { RoomEntry } from "./house.ts";

export interface RoomBoard {
  /** Takes the place of all that was known of which rooms there are. A record that is newer here stays. */
  setRooms(rooms: readonly RoomRecord[]): void;
  /** Drops those of which this is not so. */
  retain(isKept: (room: RoomId) => boolean): void;
  put(room: RoomRecord): void;
  drop(room: RoomId): void;
  get(room: RoomId): RoomRecord | undefined;
  /** What the house says of them; what is known to be later stays. */
  setHeads(heads: readonly RoomHead[]): void;
  /** Its stream is followed after the offset that this returns: what is new is then told apart from one's own. */
  follow(room: RoomId): number;
  unfollow(room: RoomId): void;
  /** Its stream is told from the beginning, which may not come as far as it did. */
  restart(room: RoomId): void;
  take(event: StoredRoomEvent): void;
  entries(): readonly RoomEntry[];
}

export interface RoomBoardOptions {
  readonly me: () => AgentId | undefined;
  readonly markOf: (room: RoomId) => number;
}

/** What is looked at of a room to tell whether others have said something. More than that is new in any case. */
const WINDOW = 50;

interface Head {
  readonly offset: number;
  readonly at: number | undefined;
}

const NOTHING: Head = { offset: 0, at: undefined };

export const createRoomBoard = ({ me, markOf }: RoomBoardOptions): RoomBoard => {
  const rooms = new Map<RoomId, RoomRecord>();
  const heads = new Map<RoomId, Head>();
  /** Of rooms that are followed: the last message of somebody else. */
  const others = new Map<RoomId, number>();
  const shownById = new Map<RoomId, RoomEntry>();
  let shown: readonly RoomEntry[] = [];

  const headOf = (room: RoomId): Head => heads.get(room) ?? NOTHING;
  const advance = (room: RoomId, head: Head): void => {
    if (head.offset > headOf(room).offset) heads.set(room, head);
  };

  const toEntry = (room: RoomRecord): RoomEntry => {
    const { offset: head, at } = headOf(room.id);
    const isUnread = (others.get(room.id) ?? head) > markOf(room.id);
    const known = shownById.get(room.id);
    if (known?.room === room && known.head === head && known.at === at && known.isUnread === isUnread) return known;
    const entry = { room, head, at, isUnread };
    shownById.set(room.id, entry);
    return entry;
  };

  return {
    setRooms(list) {
      const there = new Set(list.map(({ id }) => id));
      for (const id of [...rooms.keys()]) if (!there.has(id)) rooms.delete(id);
      for (const room of list) if (room.version >= (rooms.get(room.id)?.version ?? 0)) rooms.set(room.id, room);
    },
    retain(isKept) {
      for (const id of [...rooms.keys()]) if (!isKept(id)) rooms.delete(id);
    },
    put: (room) => void rooms.set(room.id, room),
    drop: (room) => void rooms.delete(room),
    get: (room) => rooms.get(room),
    setHeads(list) {
      for (const { room, head, at } of list) advance(room, { offset: head, at });
    },
    follow(room) {
      const mark = markOf(room);
      const head = headOf(room).offset;
      // A mark may lie beyond a house that was brought back from a backup.
      const start = Math.min(head, Math.max(mark, head - WINDOW));
      others.set(room, start > mark ? start : 0);
      return start;
    },
    unfollow: (room) => void others.delete(room),
    restart(room) {
      heads.delete(room);
      others.set(room, 0);
    },
    take(event) {
      const { room, offset, at } = event;
      if (room === undefined) return;
      advance(room, { offset, at });
      if (event.type === "message" && event.author !== me()) others.set(room, Math.max(others.get(room) ?? 0, offset));
    },
    entries() {
      shown = keep(shown, [...rooms.values()].map(toEntry).sort(byRecency));
      return shown;
    },
  };
};

/** What was said last first; then by name. */
const byRecency = (one: RoomEntry, other: RoomEntry): number =>
  (other.at ?? 0) - (one.at ?? 0) || one.room.content.name.localeCompare(other.room.content.name);
