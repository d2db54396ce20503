/**
 * Permissions of agents, human or bot: the levels granted on houses and rooms, and the levels that
 * follow from them. Permissions can be changed only by grants.
 */
import { type DurableStreams, readJson, type Row, type Store } from "../../kernel/index.ts";
import {
  type AgentId,
  type Grant,
  type GrantQuery,
  HearthError,
  highest,
  type HouseId,
  type HouseRecord,
  type KeyScope,
  type Level,
  lowest,
  type Permission,
  type Place,
  includesLevel,
  includesRight,
  type Right,
  rights as allRights,
  type RoomRecord,
  type World,
} from "@hearth/protocol";
import type { GrantBook } from "./grant-book.ts";
import type { Records } from "../records/records.ts";
import { createGrantChange, toStoredRights } from "./grant-change.ts";

/** The agent whose levels apply, with the scope of its credential. Every `Principal` is one. */
export interface Holder {
  readonly agent: AgentId;
  readonly scope?: KeyScope;
}

type NewGrant = Pick<Grant, "agent" | "on" | "level" | "rights">;

/**
 * Contract, checked by `permissionsConformance`:
 * - a level on a house applies in its rooms; in a room with members only `x` does, and each member
 *   has `w`
 * - a level on a room does not apply to its house, and a level on a house does not apply to another
 *   house
 * - a caller cannot grant more than it has, including the limits of its key; only administrators of
 *   the house give levels and rights
 * - only people have rights, and only on houses
 * - a house always has a person who decides (`x`)
 */
export interface Permissions {
  /**
   * Returns the holder's level on a place, from all of its grants, or undefined for an unknown
   * place.
   */
  levelOf(holder: Holder, place: Place): Promise<Level | undefined>;
  /** Returns the holder's level for a given version of the place's record. */
  levelIn(holder: Holder, place: HouseRecord | RoomRecord): Promise<Level | undefined>;
  /**
   * Whether the holder has the right on the house: by a grant, or because `x` includes it. A room
   * has no rights.
   */
  hasRight(holder: Holder, house: Place, right: Right): Promise<boolean>;
  /** Returns every house and room where the holder has a level. */
  levelsOf(holder: Holder): Promise<readonly Permission[]>;
  /**
   * Returns the agents that may read at least one of these rooms. The cost depends only on the
   * rooms.
   */
  readers(rooms: readonly RoomRecord[]): Promise<ReadonlySet<AgentId>>;
  /** Returns the agents that may write in the room. The cost depends only on the room. */
  writers(room: RoomRecord): Promise<ReadonlySet<AgentId>>;
  /**
   * Returns a number that increases whenever a level may have changed. Cached results are then
   * invalid.
   */
  version(): number;
  /** Returns grants, oldest first. */
  list(query?: GrantQuery): Promise<readonly Grant[]>;
  /**
   * Grants this level in place of an earlier one. Without `rights`, the present rights stay. Throws
   * `record.not-found`, `grant.exceeds`, `grant.last`, and `request.invalid` for rights of a bot or
   * on a room.
   */
  grant(grant: NewGrant, by: Holder): Promise<Grant>;
  /**
   * Sets a level that the config file gives, if the agent has another one. Throws
   * `record.not-found`, `grant.last`.
   */
  assign(grant: Pick<Grant, "agent" | "on" | "level">, by: AgentId): Promise<void>;
  /** Revokes a grant. A missing one is not an error. Throws like `grant`. */
  revoke(grant: Pick<Grant, "agent" | "on">, by: Holder): Promise<void>;
}

export interface PermissionsOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  readonly book: GrantBook;
}

export const createPermissions = ({ world, store, streams, records, book }: PermissionsOptions): Permissions => {
  const find = async (place: Place): Promise<HouseRecord | RoomRecord | undefined> =>
    isHouse(place) ? records.find("house", place) : records.find("room", place);

  const get = async (place: Place): Promise<HouseRecord | RoomRecord> =>
    isHouse(place) ? records.get("house", place) : records.get("room", place);

  const levelIn = async ({ agent, scope }: Holder, place: HouseRecord | RoomRecord): Promise<Level | undefined> => {
    const grants = await book.grantsOf(agent);
    const roomLevel = grants.get(place.id)?.level;
    return limitToScope(scope, place, deriveLevel(agent, place, roomLevel, grants.get(place.house)?.level));
  };

  /** Returns the agents with a level in the room. An agent may occur more than once. */
  const levelsIn = async (room: RoomRecord): Promise<readonly (readonly [AgentId, Level])[]> => {
    const [roomLevels, inherited] = await Promise.all([book.levelsOn(room.id), book.levelsOn(room.house)]);
    return [...roomLevels.keys(), ...inherited.keys(), ...(room.content.members ?? [])].flatMap((agent) => {
      const level = deriveLevel(agent, room, roomLevels.get(agent), inherited.get(agent));
      return level === undefined ? [] : [[agent, level] as const];
    });
  };

  const hasRight: Permissions["hasRight"] = async ({ agent, scope }, house, right) => {
    const houseGrant = isHouse(house) ? (await book.grantsOf(agent)).get(house) : undefined;
    return houseGrant !== undefined && includesRight(houseGrant, right) && mayUse(scope, house, right);
  };

  /** Returns the rights beside the level, or undefined without any. */
  const rightsBeside = async (holder: Holder, place: Place, level: Level): Promise<readonly Right[] | undefined> => {
    if (level === "x") return undefined;
    const areHeld = await Promise.all(allRights.map((right) => hasRight(holder, place, right)));
    return toStoredRights(allRights.filter((_, index) => areHeld[index] === true));
  };

  const levelOf: Permissions["levelOf"] = async (holder, place) => {
    const record = await find(place);
    return record === undefined ? undefined : levelIn(holder, record);
  };

  /** Returns the place if the holder decides there. */
  const requireAdmin = async (place: Place, by: Holder): Promise<HouseRecord | RoomRecord> => {
    const record = await get(place);
    if (includesLevel(await levelIn(by, record), "x")) return record;
    throw new HearthError("grant.exceeds", `You may not change permissions in ${record.type} ${record.handle}.`, {
      hint: "Ask a person with x there: hearth grant list",
    });
  };

  /** Rights are for people: a bot decides on no approval, and its turns read untrusted text. */
  const requirePerson = async (agent: AgentId, place: HouseRecord | RoomRecord): Promise<void> => {
    if (place.type !== "house") throw noRightsError(`Rights apply to a house, and ${place.handle} is a room.`);
    const { content, handle } = await records.get("agent", agent);
    if (content.kind !== "human") throw noRightsError(`${handle} is a bot, and only people have rights.`);
  };

  const changeGrant = createGrantChange({ world, store, streams, records, book });

  return {
    levelOf,
    levelIn,
    hasRight,
    version: book.version,

    async levelsOf(holder) {
      const places = [...(await records.list("house")), ...(await records.list("room"))];
      const heldPermissions: Permission[] = [];
      for (const place of places) {
        const level = await levelIn(holder, place);
        if (level === undefined) continue;
        const rights = await rightsBeside(holder, place.id, level);
        heldPermissions.push({ on: place.id, level, ...(rights === undefined ? {} : { rights: [...rights] }) });
      }
      return heldPermissions;
    },
    async readers(rooms) {
      const readers = new Set<AgentId>();
      for (const room of rooms) for (const [agent] of await levelsIn(room)) readers.add(agent);
      return readers;
    },

    async writers(room) {
      const levels = await levelsIn(room);
      return new Set(levels.flatMap(([agent, level]) => (includesLevel(level, "w") ? [agent] : [])));
    },

    async list(query = {}) {
      const rows = await store.select({ table: "grants", where: toMatch(query), order: [{ column: "at" }] });
      return rows.map(toGrant);
    },

    async grant(request, by) {
      const { agent, on, level } = request;
      const place = await requireAdmin(on, by);
      if (request.rights?.length !== undefined && request.rights.length > 0) await requirePerson(agent, place);
      return { agent, on, level, by: by.agent, ...(await changeGrant(request, place, by.agent)) };
    },

    async assign({ agent, on, level }, by) {
      if ((await book.grantsOf(agent)).get(on)?.level !== level)
        await changeGrant({ agent, on, level }, await get(on), by);
    },

    async revoke({ agent, on }, by) {
      const place = await requireAdmin(on, by);
      const [row] = await store.select({ table: "grants", where: { agent, target: on } });
      if (row !== undefined) await changeGrant({ agent, on }, place, by.agent);
    },
  };
};

/** Returns the level on a place that follows from the agent's grants on it and on its house. */
const deriveLevel = (
  agent: AgentId,
  place: HouseRecord | RoomRecord,
  roomLevel: Level | undefined,
  inherited: Level | undefined,
): Level | undefined => {
  if (place.type === "house") return roomLevel;
  const { members } = place.content;
  if (members === undefined) return highest(roomLevel, inherited);
  return highest(highest(roomLevel, members.includes(agent) ? "w" : undefined), inherited === "x" ? "x" : undefined);
};

/** Returns the level limited by a key's scope. A scope on a house includes its rooms. */
const limitToScope = (
  scope: KeyScope | undefined,
  place: HouseRecord | RoomRecord,
  level: Level | undefined,
): Level | undefined => {
  if (scope === undefined) return level;
  if (scope.only !== undefined) return undefined;
  const isInScope = scope.on === undefined || scope.on.includes(place.id) || scope.on.includes(place.house);
  return isInScope ? lowest(level, scope.level) : undefined;
};

/** Whether a key's scope includes a right on a house. */
const mayUse = (scope: KeyScope | undefined, house: Place, right: Right): boolean =>
  scope === undefined ||
  (scope.only === undefined && (scope.on === undefined || scope.on.includes(house)) && includesRight(scope, right));

const noRightsError = (message: string): HearthError =>
  new HearthError("request.invalid", message, {
    hint: "Give rights to a person on a house: hearth grant add PERSON audit",
  });

const isHouse = (place: Place): place is HouseId => place.startsWith("house_");

const toMatch = ({ on, agent }: GrantQuery): { target?: string; agent?: string } => ({
  ...(on === undefined ? {} : { target: on }),
  ...(agent === undefined ? {} : { agent }),
});

const toGrant = (row: Row<"grants">): Grant => ({
  agent: row.agent,
  on: row.target,
  level: row.level,
  by: row.by,
  at: row.at,
  ...(row.rights === null ? {} : { rights: [...readJson(row.rights)] }),
});
