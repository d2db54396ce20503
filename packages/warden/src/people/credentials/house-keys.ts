/**
 * API keys are shown once, stored as SHA-256, and revoked but never deleted. A key may have a
 * narrower scope than its agent, or an end.
 */
import {
  type DeferringStore,
  type Store,
  type Row,
  type DurableStreams,
  readJson,
  writeJson,
} from "../../kernel/index.ts";
import {
  type AgentId,
  HearthError,
  type HouseId,
  type KeyId,
  KeyScope,
  type Place,
  includesLevel,
  includesRight,
  type World,
} from "@hearth/protocol";
import { requireVisible } from "../records/plain-name.ts";
import type { Principal } from "../permissions/principal.ts";
import { newSecret } from "./secret.ts";

export interface NewKey {
  readonly name: string;
  /** The agent in whose name the key acts. */
  readonly agent: AgentId;
  /** Limits the key's rights. Absent if it has all rights of its agent. */
  readonly scope?: KeyScope;
  /** UTC milliseconds. Absent if the key is valid until it is revoked. */
  readonly expiresAt?: number;
}

export interface KeyRecord extends NewKey {
  readonly id: KeyId;
  readonly createdAt: number;
  readonly revokedAt?: number;
}

export interface ListedKey extends KeyRecord {
  /** The last use, to within an hour. Absent: it was never used. */
  readonly usedAt?: number;
}

export interface Keys {
  /**
   * Creates a key. Throws `grant.exceeds` if it would have more rights than its creator, other
   * places, or a later end; `record.not-found` for an unknown agent or place; `request.invalid`
   * for an end in the past.
   */
  create(key: NewKey, by: Pick<Principal, "agent" | "scope" | "until">): Promise<KeyRecord & { readonly key: string }>;
  list(): Promise<readonly ListedKey[]>;
  /** Returns a key. Throws `record.not-found`. */
  get(id: KeyId): Promise<KeyRecord>;
  /** Revokes a key. A second call is not an error. Throws `record.not-found`. */
  revoke(id: KeyId, by: AgentId): Promise<KeyRecord>;
  /**
   * Returns the agent and the scope of this key, or undefined. The key is read from the store at
   * each use. The use is recorded at most once an hour, with the next commit.
   */
  authenticate(key: string): Promise<Principal | undefined>;
}

export interface KeysOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly defer: DeferringStore["defer"];
  /** The house whose log records created and revoked keys. */
  readonly house: HouseId;
}

/** A prefix by which people and secret scanners recognize lost keys. */
export const KEY_PREFIX = "hearth_";

/** The time within which a further use of a key is not recorded. */
const USE_INTERVAL_MS = 60 * 60 * 1000;

export const createKeys = ({ world, store, streams, defer, house }: KeysOptions): Keys => {
  const log = `house:${house}` as const;
  /** The recorded uses since the start, including those that are not written yet. */
  const uses = new Map<KeyId, number>();

  const recordUse = ({ id, agent }: Row<"keys">): void => {
    const now = world.clock.now();
    const lastUse = uses.get(id);
    if (lastUse !== undefined && now - lastUse < USE_INTERVAL_MS) return;
    uses.set(id, now);
    defer(`key-use:${id}`, { kind: "put", table: "key_uses", row: { id, agent, used_at: now } });
  };

  const find = async (id: KeyId): Promise<Row<"keys">> => {
    const [row] = await store.select({ table: "keys", where: { id } });
    if (row !== undefined) return row;
    throw new HearthError("record.not-found", `There is no key ${id}.`, { hint: "List the keys: hearth key list" });
  };

  /** Returns the house of each of these places. */
  const housesOf = async (places: readonly Place[]): Promise<ReadonlyMap<string, string>> => {
    const rows = await store.select({ table: "records", and: [{ column: "id", is: "in", value: places }] });
    const houses = new Map(rows.map((row) => [row.id, row.house]));
    const missingPlace = places.find((place) => !houses.has(place));
    if (missingPlace === undefined) return houses;
    throw new HearthError("record.not-found", `There is no house or room ${missingPlace}.`, {
      hint: "List the rooms: hearth room list",
    });
  };

  /** Throws unless the creator has all rights of the new key, for as long as the key is valid. */
  const checkWithin = async ({ scope, expiresAt }: NewKey, by: Pick<Principal, "scope" | "until">): Promise<void> => {
    const houses = await housesOf(scope?.on ?? []);
    const isShorter = by.until === undefined || (expiresAt !== undefined && expiresAt <= by.until);
    if (isShorter && isWithin(scope, by.scope, houses)) return;
    throw new HearthError("grant.exceeds", "The new key would have more rights than the key that creates it.", {
      hint: "Use the same or a narrower scope, and the same or an earlier expiry. Or use a login.",
    });
  };

  return {
    async create(request, by) {
      const { name, agent, scope, expiresAt } = request;
      requireVisible("request.invalid", "A key's name", name);
      const at = world.clock.now();
      if (expiresAt !== undefined && expiresAt <= at)
        throw new HearthError("request.invalid", "The expiry of the key is in the past.", {
          hint: "Choose a time in the future.",
        });
      await checkWithin(request, by);
      const key = KEY_PREFIX + newSecret(world);
      const id = world.ids.fresh("key");
      const row: Row<"keys"> = {
        id,
        name,
        agent,
        hash: world.hash(key),
        created_at: at,
        revoked_at: null,
        scope: scope === undefined ? null : writeJson(scope),
        expires_at: expiresAt ?? null,
      };
      const result = await streams.commit({
        guards: [{ kind: "exists", table: "records", where: { id: agent, type: "agent" } }],
        writes: [{ kind: "insert", table: "keys", row }],
        events: [
          {
            stream: log,
            id: world.ids.fresh("evt"),
            event: { type: "key-created", at, by: by.agent, key: id, agent, name },
          },
        ],
      });
      switch (result.kind) {
        case "committed":
          return { ...toKey(row), key };
        case "refused":
          throw new HearthError("record.not-found", `There is no agent ${agent}.`, {
            hint: "List the agents: hearth agent list",
          });
        case "conflict":
          // A repeated 32-byte key means that the random source is broken.
          throw new Error("a new random key already exists");
      }
    },

    async list() {
      const rows = await store.select({ table: "keys", order: [{ column: "created_at" }, { column: "id" }] });
      const storedUses = new Map((await store.select({ table: "key_uses" })).map((row) => [row.id, row.used_at]));
      return rows.map((row) => {
        const usedAt = uses.get(row.id) ?? storedUses.get(row.id);
        return usedAt === undefined ? toKey(row) : { ...toKey(row), usedAt };
      });
    },

    get: async (id) => toKey(await find(id)),

    async revoke(id, by) {
      await find(id);
      const at = world.clock.now();
      await streams.commit({
        guards: [{ kind: "exists", table: "keys", where: { id, revoked_at: null } }],
        writes: [{ kind: "update", table: "keys", where: { id }, set: { revoked_at: at } }],
        events: [{ stream: log, id: world.ids.fresh("evt"), event: { type: "key-revoked", at, by, key: id } }],
      });
      // The row is read again, because of two revocations the time of the first one counts.
      return toKey(await find(id));
    },

    async authenticate(key) {
      // Every text causes the same work: a hash and a lookup. The timing reveals nothing about
      // existing keys.
      const [row] = await store.select({ table: "keys", where: { hash: world.hash(key), revoked_at: null } });
      if (row === undefined || (row.expires_at !== null && row.expires_at <= world.clock.now())) return undefined;
      const [agent] = await store.select({ table: "records", where: { id: row.agent, type: "agent" } });
      if (agent === undefined) return undefined;
      recordUse(row);
      const { id, agent: holder, scope, expiresAt } = toKey(row);
      return {
        agent: holder,
        via: "key",
        key: id,
        ...(scope === undefined ? {} : { scope }),
        ...(expiresAt === undefined ? {} : { until: expiresAt }),
      };
    },
  };
};

/** Whether the requested scope is within the other one. A key for a house includes its rooms. */
const isWithin = (
  requested: KeyScope | undefined,
  ownScope: KeyScope | undefined,
  houses: ReadonlyMap<string, string>,
): boolean => {
  if (ownScope === undefined) return true;
  if (requested === undefined || !includesLevel(ownScope.level, requested.level)) return false;
  if (!(requested.rights ?? []).every((right) => includesRight(ownScope, right))) return false;
  // Several keys together would send more requests than one key may.
  if (ownScope.perMinute !== undefined) return false;
  const places: readonly string[] | undefined = ownScope.on;
  if (places === undefined) return true;
  return requested.on?.every((place) => places.includes(place) || places.includes(houses.get(place) ?? "")) === true;
};

const toKey = (row: Row<"keys">): KeyRecord => ({
  id: row.id,
  name: row.name,
  agent: row.agent,
  ...(row.scope === null ? {} : { scope: KeyScope.parse(readJson(row.scope)) }),
  createdAt: row.created_at,
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
});
