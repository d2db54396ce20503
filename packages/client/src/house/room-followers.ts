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
  const controllers = new Map<RoomId, AbortController>();
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
  const stopFollowing = (room: RoomId): void => {
    controllers.get(room)?.abort();
    controllers.delete(room);
    endedRooms.delete(room);
    board.unfollow(room);
  };

  return {
    follow(rooms) {
      const recentRooms = new Set(rooms.slice(0, MAX_FOLLOWED).map(({ room }) => room.id));
      for (const room of [...controllers.keys()]) if (!recentRooms.has(room)) stopFollowing(room);
      for (const room of recentRooms) {
        if (controllers.has(room)) continue;
        const controller = new AbortController();
        controllers.set(room, controller);
        observe(followRoom(room, board.follow(room), controller.signal));
      }
    },
    retry() {
      for (const room of [...endedRooms]) stopFollowing(room);
    },
  };
};
