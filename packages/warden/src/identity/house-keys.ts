/** Keys over the store. What is kept of a key is its SHA-256; whoever holds the key is looked up by that on every use. */
import { type AgentId, HearthError, type HouseId, type KeyId, type World } from "@hearth/protocol";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import type { DurableStreams } from "../streams/streams.ts";
import type { KeyRecord, Keys } from "./keys.ts";
import { newSecret } from "./secret.ts";

export interface KeysOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: DurableStreams;
  /** Whose log tells of keys that come and go. */
  readonly house: HouseId;
}

/** So that a key which got lost is known for one: by people, and by whatever scans for secrets. */
export const KEY_PREFIX = "hearth_";

export const createKeys = ({ world, store, streams, house }: KeysOptions): Keys => {
  const log = `house:${house}` as const;

  const find = async (id: KeyId): Promise<Row<"keys">> => {
    const [row] = await store.select({ table: "keys", where: { id } });
    if (row !== undefined) return row;
    throw new HearthError("record.not-found", `There is no key ${id}.`, { hint: "List them: hearth key list" });
  };

  return {
    async create(name, agent, by) {
      const key = KEY_PREFIX + newSecret(world);
      const id = world.ids.fresh("key");
      const at = world.clock.now();
      const row = { id, name, agent, hash: world.hash(key), created_at: at, revoked_at: null };
      const result = await streams.commit({
        guards: [{ kind: "exists", table: "records", where: { id: agent, type: "agent" } }],
        writes: [{ kind: "insert", table: "keys", row }],
        events: [
          { stream: log, id: world.ids.fresh("evt"), event: { type: "key-created", at, by, key: id, agent, name } },
        ],
      });
      switch (result.kind) {
        case "committed":
          return { ...toKey(row), key };
        case "refused":
          throw new HearthError("record.not-found", `There is no agent ${agent}.`, {
            hint: "List them: hearth agent list",
          });
        case "conflict":
          // 32 random bytes that are known already: the world's randomness is broken.
          throw new Error("a new key is one that exists");
      }
    },

    list: async () =>
      (await store.select({ table: "keys", order: [{ column: "created_at" }, { column: "id" }] })).map(toKey),

    async revoke(id, by) {
      const row = await find(id);
      if (row.revoked_at !== null) return toKey(row);
      const at = world.clock.now();
      await streams.commit({
        guards: [{ kind: "exists", table: "keys", where: { id, revoked_at: null } }],
        writes: [{ kind: "update", table: "keys", where: { id }, set: { revoked_at: at } }],
        events: [{ stream: log, id: world.ids.fresh("evt"), event: { type: "key-revoked", at, by, key: id } }],
      });
      // Read again: when two revoke at once, the first one's instant stands.
      return toKey(await find(id));
    },

    async authenticate(key) {
      // The same work for any text: a hash, and a look for it. How long that takes tells nothing about keys that exist.
      const [row] = await store.select({ table: "keys", where: { hash: world.hash(key), revoked_at: null } });
      if (row === undefined) return undefined;
      const [agent] = await store.select({ table: "records", where: { id: row.agent, type: "agent" } });
      return agent === undefined ? undefined : { agent: row.agent as AgentId, via: "key", key: row.id as KeyId };
    },
  };
};

const toKey = (row: Row<"keys">): KeyRecord => ({
  id: row.id as KeyId,
  name: row.name,
  agent: row.agent as AgentId,
  createdAt: row.created_at,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
});
