/** Follows the rooms with the latest messages, and passes their events to the board. */
import { type RoomId, StoredRoomEvent } from "@hearth/protocol";
import type { Socket } from "../socket.ts";
import type { RoomEntry } from "./house.ts";
import type { RoomBoard } from "./room-board.ts";
import { observe } from "../observe.ts";

export interface RoomFollowers {
  /** Follows the first rooms of the list, up to a limit, and stops following others. */
  follow(rooms: readonly RoomEntry[]): void;
  /** Lets the next `follow` follow rooms again whose streams ended because the user lost access. */
  retry(): void;
}

export interface RoomFollowersOptions {
  readonly socket: Socket;
  readonly board: RoomBoard;
  readonly onChange: () => void;
}

/** Maximum number of followed rooms. The socket needs the rest of its streams for the open room. */
const MAX_FOLLOWED = 60;

export const createRoomFollowers = ({ socket, board, onChange }: RoomFollowersOptions): RoomFollowers => {
  const followed = new Map<RoomId, AbortController>();
  const endedRooms = new Set<RoomId>();

  const followRoom = async (room: RoomId, after: number, signal: AbortSignal): Promise<void> => {
    for await (const item of socket.follow(`room:${room}`, StoredRoomEvent, { after, signal })) {
      if (item.kind === "restarted") board.restart(room);
      if (item.kind !== "event") continue;
      board.applyEvent(item.event);
      onChange();
    }
    if (!signal.aborted) endedRooms.add(room);
  };
  const leave = (room: RoomId): void => {
    followed.get(room)?.abort();
    followed.delete(room);
    endedRooms.delete(room);
    board.unfollow(room);
  };

  return {
    follow(rooms) {
      const recent = new Set(rooms.slice(0, MAX_FOLLOWED).map(({ room }) => room.id));
      for (const room of [...followed.keys()]) if (!recent.has(room)) leave(room);
      for (const room of recent) {
        if (followed.has(room)) continue;
        const abort = new AbortController();
        followed.set(room, abort);
        observe(followRoom(room, board.follow(room), abort.signal));
      }
    },
    retry() {
      for (const room of [...endedRooms]) leave(room);
    },
  };
};
