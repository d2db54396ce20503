/**
 * Stores sealed values. Each write is guarded by the key that seals the value. Redaction learns
 * each value before it can be read.
 */
import type { Guard, Log, Row, Store, Write } from "../../kernel/index.ts";
import { type AgentId, HearthError, type HouseId, isHearthError, type Right, type World } from "@hearth/protocol";
import type { Changes } from "./changes.ts";
import { type Envelopes, sizeOf, type VaultKey } from "./envelope.ts";
import type { Redaction } from "./redaction.ts";
import { checkRoom, secretExistsError } from "./secret-rules.ts";
import type { NewVaultKey, VaultKeys } from "./vault-key.ts";

type SecretRow = Row<"secrets">;

/** Who changes a secret, and the right that admits the change if the level does not. */
interface ToldBy {
  readonly by: AgentId;
  readonly right: Right | undefined;
}

/** All methods except `read` and `learnAll` run one at a time, within `changes.enqueue`. */
export interface SealedSecrets {
  /**
   * Returns the value, or undefined if there is no such secret or the vault is locked. Throws
   * `secret.damaged`.
   */
  read(house: HouseId, name: string): Promise<string | undefined>;
  /** Seals a value and writes it. The first secret also creates the vault's key. */
  put(
    row: Pick<SecretRow, "house" | "name" | "version" | "created_at">,
    value: string,
    told?: ToldBy & { readonly change: "set" | "rotated" },
  ): Promise<void>;
  /** Writes a new secret. Throws if the name is taken. */
  insert(
    secret: Pick<SecretRow, "house" | "name"> & { readonly value: string },
    told?: ToldBy & { readonly change: "set" },
  ): Promise<void>;
  drop(house: HouseId, name: string, told?: ToldBy): Promise<void>;
  /** Passes all stored values to redaction. */
  learnAll(key: VaultKey): Promise<void>;
  /** Seals all values with this key, which becomes the vault's key. */
  changeKey(made: NewVaultKey): Promise<void>;
}

export interface SealedSecretsOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Pick<Store, "select">;
  readonly redaction: Pick<Redaction, "learn">;
  readonly envelopes: Envelopes;
  readonly keys: VaultKeys;
  readonly changes: Pick<Changes, "commit">;
}

export const createSealedSecrets = (options: SealedSecretsOptions): SealedSecrets => {
  const { world, log, store, redaction, envelopes, keys } = options;
  const { commit } = options.changes;

  const read: SealedSecrets["read"] = async (house, name) => {
    const key = keys.current();
    const [row] = await store.select({ table: "secrets", where: { house, name } });
    if (row === undefined || key === undefined) return undefined;
    const value = await envelopes.open(row, key);
    if (value !== undefined) return value;
    throw new HearthError(
      "secret.damaged",
      `The secret ${name} is damaged: its stored data was changed or truncated.`,
      {
        hint: `Set its value again: hearth secret rotate ${name}`,
      },
    );
  };

  /**
   * Undoes a new key if the commit was refused. After a disk error the outcome is unknown, so the
   * key stays.
   */
  const unlessRefused = async (made: NewVaultKey | undefined, work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (isHearthError(error, "record.version")) await made?.undo();
      throw error;
    }
    if (made !== undefined) await keys.use(made);
  };

  const put: SealedSecrets["put"] = async (row, value, told) => {
    const known = keys.current();
    const others = (await store.select({ table: "secrets" })).filter(
      (other) => other.house !== row.house || other.name !== row.name,
    );
    checkRoom(
      value,
      others.reduce((sum, other) => sum + sizeOf(other), 0),
    );
    const made = known === undefined ? await keys.makeFirst() : undefined;
    const sealed = await envelopes.seal(row, value, known ?? (made as NewVaultKey).key);
    const { house, name, version, created_at } = row;
    // The value is learned before it can be read, so that no output in between shows it.
    redaction.learn(house, name, value);
    const work = commit(
      {
        guards: [
          ...keyGuards(known),
          version === 1
            ? { kind: "absent", table: "secrets", where: { house, name } }
            : { kind: "exists", table: "secrets", where: { house, name, version: version - 1 } },
        ],
        writes: [{ kind: "put", table: "secrets", row: { ...sealed, created_at, set_at: world.clock.now() } }],
        ...(made === undefined ? {} : { key: { row: made.row } }),
      },
      told === undefined ? undefined : { house, right: told.right, event: { by: told.by, change: told.change, name } },
    );
    await unlessRefused(made, work);
  };

  const insert: SealedSecrets["insert"] = async ({ house, name, value }, told) => {
    const [present] = await store.select({ table: "secrets", where: { house, name } });
    if (present !== undefined) throw secretExistsError(name);
    await put({ house, name, version: 1, created_at: world.clock.now() }, value, told);
  };

  const drop: SealedSecrets["drop"] = async (house, name, told) => {
    const all = await store.select({ table: "secrets", limit: 2 });
    // If the key is lost, the removal of the last secret allows a new key.
    const isOver = keys.status().state === "locked" && all.length === 1;
    await commit(
      {
        writes: [
          { kind: "delete", table: "secrets", where: { house, name } },
          { kind: "delete", table: "secret_grants", where: { house, secret: name } },
        ],
        ...(isOver ? { key: { row: undefined } } : {}),
      },
      told === undefined ? undefined : { house, right: told.right, event: { by: told.by, name, change: "removed" } },
    );
    if (isOver) await keys.forget();
  };

  const learnAll: SealedSecrets["learnAll"] = async (key) => {
    for (const row of await store.select({ table: "secrets" })) {
      const value = await envelopes.open(row, key);
      if (value === undefined) log.write("error", "a secret is damaged", { house: row.house, secret: row.name });
      else redaction.learn(row.house, row.name, value);
    }
  };

  return {
    read,
    put,
    insert,
    drop,
    learnAll,
    async changeKey(made) {
      const from = keys.current();
      const writes: Write[] = [];
      for (const row of await store.select({ table: "secrets" })) {
        const wrapped = from === undefined ? undefined : await envelopes.rewrap(row, from, made.key);
        // A secret that cannot be opened stays as it is and is logged as damaged.
        if (wrapped === undefined) log.write("error", "a secret is damaged", { house: row.house, secret: row.name });
        else writes.push({ kind: "put", table: "secrets", row: { ...row, ...wrapped } });
      }
      await unlessRefused(made, commit({ guards: keyGuards(from), writes, key: { row: made.row } }));
    },
  };
};

/** Returns guards that the key is still the vault's, because another daemon may have changed it. */
const keyGuards = (key: VaultKey | undefined): readonly Guard[] =>
  key === undefined ? [] : [{ kind: "exists", table: "vault_keys", where: { id: key.id } }];
