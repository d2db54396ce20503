/** Paths of the UI, and the start page of a user. */
import type { RoomEntry, Storage } from "@hearth/client";
import type { AgentRecord, HouseRecord, Me } from "@hearth/protocol";
import { may, mayAdministerHome } from "../house/may.ts";
import { HOME, isPathOfRoom, roomPath } from "../house/paths.ts";
import { remember } from "../house/remember.ts";

const LAST_ROOM_KEY = "last-room";
const RETURN_PATH_KEY = "return-to";
/** Handle of the initial agent. */
const FIRST_AGENT_HANDLE = "main";

export type StartPage =
  | { readonly kind: "path"; readonly path: string }
  /** The direct room with this agent. The UI creates it if necessary. */
  | { readonly kind: "agent"; readonly handle: string }
  /** The user has no room, and no agent to talk to. */
  | { readonly kind: "nobody" };

export interface StartPageOptions {
  readonly storage: Pick<Storage, "get">;
  readonly house: HouseRecord | undefined;
  readonly rooms: readonly RoomEntry[];
  readonly agents: ReadonlyMap<string, AgentRecord>;
  readonly me: Me | undefined;
}

/**
 * Returns the start page: the page that the login interrupted, then the welcome, then the last room, then
 * the first agent. Viewers skip the welcome and get no direct room with an agent.
 */
export const findStartPage = ({ storage, house, rooms, agents, me }: StartPageOptions): StartPage => {
  const returnTo = storage.get(RETURN_PATH_KEY);
  if (returnTo !== undefined) return { kind: "path", path: returnTo };
  if (house !== undefined && house.content.welcomedAt === undefined && house.id === me?.home && mayAdministerHome(me))
    return { kind: "path", path: "/welcome" };
  const lastRoom = storage.get(LAST_ROOM_KEY);
  const lastEntry = rooms.find(({ room, isArchived }) => room.id === lastRoom && !isArchived);
  if (lastEntry !== undefined) return { kind: "path", path: roomPath(lastEntry.room.handle) };
  const firstAgent = findFirstAgent({ house, agents });
  if (firstAgent !== undefined && may(me, "w", house)) return { kind: "agent", handle: firstAgent.handle };
  if (may(me, "x", house)) return { kind: "nobody" };
  const [firstEntry] = rooms;
  return firstEntry === undefined ? { kind: "nobody" } : { kind: "path", path: roomPath(firstEntry.room.handle) };
};

/** Returns the initial agent of the house, or another one if the initial agent was removed. */
export const findFirstAgent = ({
  house,
  agents,
}: {
  readonly house: HouseRecord | undefined;
  readonly agents: ReadonlyMap<string, AgentRecord>;
}): AgentRecord | undefined => {
  const bots = [...agents.values()].filter((agent) => agent.content.kind === "bot" && agent.house === house?.id);
  return bots.find(({ handle }) => handle === FIRST_AGENT_HANDLE) ?? bots[0];
};

export const rememberRoom = (storage: Storage, room: string): void => remember(storage, LAST_ROOM_KEY, room);

/** Stores `path` for the login page: after the login, `/` redirects to it. */
export const rememberReturnPath = (storage: Storage, path: string): void => {
  if (path !== HOME) remember(storage, RETURN_PATH_KEY, path);
};

export const forgetReturnPath = (storage: Storage): void => storage.remove(RETURN_PATH_KEY);

/** Returns the path of the room `steps` below the current one, wrapping at the ends. `path` is a decoded path. */
export const stepRoom = (rooms: readonly RoomEntry[], path: string, steps: 1 | -1): string | undefined => {
  const index = rooms.findIndex(({ room }) => isPathOfRoom(path, room.handle));
  const nextIndex = index === -1 ? (steps === 1 ? 0 : rooms.length - 1) : (index + steps + rooms.length) % rooms.length;
  const room = rooms[nextIndex]?.room;
  return room === undefined ? undefined : roomPath(room.handle);
};
