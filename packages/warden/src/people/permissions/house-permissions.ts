/**
 * Permissions of agents, human or bot: the levels granted on houses and rooms, and the levels that
 * follow from them. Permissions can be changed only by grants.
 */
import type { Guard, Store, Write, Row, DurableStreams } from "../../kernel/index.ts";
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
  type RoomRecord,
  type World,
} from "@hearth/protocol";
import type { GrantBook } from "./grant-book.ts";
import type { Records } from "../records/records.ts";
import { planHomeNotice } from "../records/home-notices.ts";

/** The agent whose levels apply, with the scope of its credential. Every `Principal` is one. */
export interface Holder {
  readonly agent: AgentId;
  readonly scope?: KeyScope;
}

/**
 * Contract, checked by `permissionsConformance`:
 * - a level on a house applies in its rooms; in a room with members only `x` does, and each member
 *   has `w`
 * - a level on a room does not apply to its house, and a level on a house does not apply to another
 *   house
 * - a caller cannot grant more than it has, including the limits of its key
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
  /** Returns every house and room where the holder has a level. */
  of(holder: Holder): Promise<readonly Permission[]>;
  /**
   * Returns the agents that may read at least one of these rooms. The cost depends only on the
   * rooms.
   */
  readers(rooms: readonly RoomRecord[]): Promise<ReadonlySet<AgentId>>;
  /**
   * Returns a number that increases whenever a level may have changed. Cached results are then
   * invalid.
   */
  version(): number;
  /** Returns grants, oldest first. */
  list(query?: GrantQuery): Promise<readonly Grant[]>;
  /**
   * Grants this level in place of an earlier one. Throws `record.not-found`, `grant.exceeds`,
   * `grant.last`.
   */
  grant(grant: Pick<Grant, "agent" | "on" | "level">, by: Holder): Promise<Grant>;
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
    const grants = await book.of(agent);
    return within(scope, place, follows(agent, place, grants.get(place.id), grants.get(place.house)));
  };

  const levelOf: Permissions["levelOf"] = async (holder, place) => {
    const record = await find(place);
    return record === undefined ? undefined : levelIn(holder, record);
  };

  /** Returns the place if the holder decides there. */
  const decided = async (place: Place, by: Holder): Promise<HouseRecord | RoomRecord> => {
    const record = await get(place);
    if (includesLevel(await levelIn(by, record), "x")) return record;
    throw new HearthError("grant.exceeds", `You may not change permissions in ${record.type} ${record.handle}.`, {
      hint: "Ask a person with x there: hearth grant list",
    });
  };

  const change = async (
    { agent, on, level }: Pick<Grant, "agent" | "on"> & { readonly level?: Level },
    place: HouseRecord | RoomRecord,
    by: AgentId,
  ): Promise<number> => {
    const at = world.clock.now();
    const guards: Guard[] = [];
    if (level !== undefined)
      guards.push({ name: "agent", kind: "exists", table: "records", where: { id: agent, type: "agent" } });
    if (place.type === "house" && level !== "x") {
      const [row] = await store.select({ table: "grants", where: { agent, target: on } });
      if (row?.level === "x") {
        const other = await book.otherAdmin(place.id, agent);
        if (other === undefined) throw last(place.handle);
        guards.push({ kind: "exists", table: "grants", where: { agent: other.agent, target: on, level: "x" } });
      }
    }
    const write: Write =
      level === undefined
        ? { kind: "delete", table: "grants", where: { agent, target: on } }
        : { kind: "put", table: "grants", row: { agent, target: on, house: place.house, level, by, at } };
    try {
      const result = await streams.commit({
        guards,
        writes: [write],
        events: [
          {
            stream: `house:${place.house}`,
            id: world.ids.fresh("evt"),
            event: { type: "grant-changed", at, by, agent, on, ...(level === undefined ? {} : { level }) },
          },
          ...(level === undefined ? [] : await planHomeNotice({ world, records }, place, [{ agent, level, by, at }])),
        ],
      });
      if (result.kind === "refused" && result.guard === "agent") await records.get("agent", agent);
      if (result.kind !== "committed") throw last(place.handle);
      return at;
    } finally {
      book.drop();
    }
  };

  return {
    levelOf,
    levelIn,
    version: book.version,

    async of(holder) {
      const places = [...(await records.list("house")), ...(await records.list("room"))];
      const found: Permission[] = [];
      for (const place of places) {
        const level = await levelIn(holder, place);
        if (level !== undefined) found.push({ on: place.id, level });
      }
      return found;
    },

    async readers(rooms) {
      const found = new Set<AgentId>();
      for (const room of rooms) {
        const [own, inherited] = await Promise.all([book.on(room.id), book.on(room.house)]);
        for (const agent of [...own.keys(), ...inherited.keys(), ...(room.content.members ?? [])]) {
          if (follows(agent, room, own.get(agent), inherited.get(agent)) !== undefined) found.add(agent);
        }
      }
      return found;
    },

    async list(query = {}) {
      const rows = await store.select({ table: "grants", where: toMatch(query), order: [{ column: "at" }] });
      return rows.map(toGrant);
    },

    async grant({ agent, on, level }, by) {
      const place = await decided(on, by);
      return { agent, on, level, by: by.agent, at: await change({ agent, on, level }, place, by.agent) };
    },

    async assign({ agent, on, level }, by) {
      if ((await book.of(agent)).get(on) !== level) await change({ agent, on, level }, await get(on), by);
    },

    async revoke({ agent, on }, by) {
      const place = await decided(on, by);
      const [row] = await store.select({ table: "grants", where: { agent, target: on } });
      if (row !== undefined) await change({ agent, on }, place, by.agent);
    },
  };
};

/** Returns the level on a place that follows from the agent's grants on it and on its house. */
const follows = (
  agent: AgentId,
  place: HouseRecord | RoomRecord,
  own: Level | undefined,
  inherited: Level | undefined,
): Level | undefined => {
  if (place.type === "house") return own;
  const { members } = place.content;
  if (members === undefined) return highest(own, inherited);
  return highest(highest(own, members.includes(agent) ? "w" : undefined), inherited === "x" ? "x" : undefined);
};

/** Returns the level limited by a key's scope. A scope on a house includes its rooms. */
const within = (
  scope: KeyScope | undefined,
  place: HouseRecord | RoomRecord,
  level: Level | undefined,
): Level | undefined => {
  if (scope === undefined) return level;
  if (scope.only !== undefined) return undefined;
  const isMeant = scope.on === undefined || scope.on.includes(place.id) || scope.on.includes(place.house);
  return isMeant ? lowest(level, scope.level) : undefined;
};

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
});

/**
 * Returns the error: a house must keep a person with `x`, because its permissions could otherwise
 * not be repaired.
 */
export const last = (house: string): HearthError =>
  new HearthError("grant.last", `House ${house} has no other person with x.`, {
    hint: "Give another person x there first: hearth grant add PERSON x --on HOUSE",
  });
