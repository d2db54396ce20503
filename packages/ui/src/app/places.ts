/** Paths of the UI, and the start page of a user. */
import type { RoomEntry, Storage } from "@hearth/client";
import type { AgentRecord, HouseRecord, Me } from "@hearth/protocol";
import { may, mayAdministerHome } from "../house/may.ts";
import { HOME, isAt, roomPath } from "../house/paths.ts";
import { remember } from "../house/remember.ts";

const LAST_ROOM = "last-room";
const RETURN_TO = "return-to";
/** Handle of the initial agent. */
const FIRST_AGENT = "main";

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
 * The start page: the page that the login interrupted, then the welcome, then the last room, then
 * the first agent. Viewers skip the welcome and get no direct room with an agent.
 */
export const findStartPage = ({ storage, house, rooms, agents, me }: StartPageOptions): StartPage => {
  const returnTo = storage.get(RETURN_TO);
  if (returnTo !== undefined) return { kind: "path", path: returnTo };
  if (house !== undefined && house.content.welcomedAt === undefined && house.id === me?.home && mayAdministerHome(me))
    return { kind: "path", path: "/welcome" };
  const lastRoom = storage.get(LAST_ROOM);
  const last = rooms.find(({ room, isArchived }) => room.id === lastRoom && !isArchived);
  if (last !== undefined) return { kind: "path", path: roomPath(last.room.handle) };
  const first = findFirstAgent({ house, agents });
  if (first !== undefined && may(me, "w", house)) return { kind: "agent", handle: first.handle };
  if (may(me, "x", house)) return { kind: "nobody" };
  const [open] = rooms;
  return open === undefined ? { kind: "nobody" } : { kind: "path", path: roomPath(open.room.handle) };
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
  return bots.find(({ handle }) => handle === FIRST_AGENT) ?? bots[0];
};

export const rememberRoom = (storage: Storage, room: string): void => remember(storage, LAST_ROOM, room);

/** Called by the login page: after the login `/` redirects to `path`. */
export const rememberReturnPath = (storage: Storage, path: string): void => {
  if (path !== HOME) remember(storage, RETURN_TO, path);
};

export const forgetReturnPath = (storage: Storage): void => storage.remove(RETURN_TO);

/** The room `steps` below the current one, wrapping at the ends. `here` is a decoded path. */
export const stepRoom = (rooms: readonly RoomEntry[], here: string, steps: 1 | -1): string | undefined => {
  const index = rooms.findIndex(({ room }) => isAt(here, room.handle));
  const next = index === -1 ? (steps === 1 ? 0 : rooms.length - 1) : (index + steps + rooms.length) % rooms.length;
  const room = rooms[next]?.room;
  return room === undefined ? undefined : roomPath(room.handle);
};
