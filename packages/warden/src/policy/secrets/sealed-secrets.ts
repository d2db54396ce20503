/**
 * Stores sealed values. Each write is guarded by the key that seals the value. Redaction learns
 * each value before it can be read.
 */
import type { Guard, Log, Row, Store, Write } from "../../kernel/index.ts";
import { type AgentId, HearthError, type HouseId, isHearthError, type Right, type World } from "@hearth/protocol";
import type { VaultChanges } from "./vault-changes.ts";
import { type Envelopes, valueSizeBytes, type VaultKey } from "./envelope.ts";
import type { Redaction } from "./redaction.ts";
import { checkRoom, secretExistsError } from "./secret-rules.ts";
import type { NewVaultKey, VaultKeys } from "./vault-key.ts";

type SecretRow = Row<"secrets">;

/** Who changes a secret, and the right that admits the change if the level does not. */
interface ChangeAuthor {
  readonly by: AgentId;
  readonly right: Right | undefined;
}

/** All methods except `read` and `learnAll` run one at a time, within `changes.serialize`. */
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
    report?: ChangeAuthor & { readonly change: "set" | "rotated" },
  ): Promise<void>;
  /** Writes a new secret. Throws if the name is taken. */
  insert(
    secret: Pick<SecretRow, "house" | "name"> & { readonly value: string },
    report?: ChangeAuthor & { readonly change: "set" },
  ): Promise<void>;
  drop(house: HouseId, name: string, report?: ChangeAuthor): Promise<void>;
  /** Passes all stored values to redaction. */
  learnAll(key: VaultKey): Promise<void>;
  /** Seals all values with this key, which becomes the vault's key. */
  changeKey(newKey: NewVaultKey): Promise<void>;
}

export interface SealedSecretsOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Pick<Store, "select">;
  readonly redaction: Pick<Redaction, "learn">;
  readonly envelopes: Envelopes;
  readonly keys: VaultKeys;
  readonly changes: Pick<VaultChanges, "commit">;
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
  const commitWithKey = async (newKey: NewVaultKey | undefined, work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (isHearthError(error, "record.version")) await newKey?.undo();
      throw error;
    }
    if (newKey !== undefined) await keys.use(newKey);
  };

  const put: SealedSecrets["put"] = async (row, value, report) => {
    const currentKey = keys.current();
    const otherRows = (await store.select({ table: "secrets" })).filter(
      (otherRow) => otherRow.house !== row.house || otherRow.name !== row.name,
    );
    checkRoom(
      value,
      otherRows.reduce((sum, otherRow) => sum + valueSizeBytes(otherRow), 0),
    );
    const newKey = currentKey === undefined ? await keys.makeFirst() : undefined;
    const envelope = await envelopes.seal(row, value, currentKey ?? (newKey as NewVaultKey).key);
    const { house, name, version, created_at } = row;
    // The value is learned before it can be read, so that no output in between shows it.
    redaction.learn(house, name, value);
    const work = commit(
      {
        guards: [
          ...toKeyGuards(currentKey),
          version === 1
            ? { kind: "absent", table: "secrets", where: { house, name } }
            : { kind: "exists", table: "secrets", where: { house, name, version: version - 1 } },
        ],
        writes: [{ kind: "put", table: "secrets", row: { ...envelope, created_at, set_at: world.clock.now() } }],
        ...(newKey === undefined ? {} : { key: { row: newKey.row } }),
      },
      report === undefined
        ? undefined
        : { house, right: report.right, event: { by: report.by, change: report.change, name } },
    );
    await commitWithKey(newKey, work);
  };

  const insert: SealedSecrets["insert"] = async ({ house, name, value }, report) => {
    const [existingRow] = await store.select({ table: "secrets", where: { house, name } });
    if (existingRow !== undefined) throw secretExistsError(name);
    await put({ house, name, version: 1, created_at: world.clock.now() }, value, report);
  };

  const drop: SealedSecrets["drop"] = async (house, name, report) => {
    const rows = await store.select({ table: "secrets", limit: 2 });
    // If the key is lost, the removal of the last secret allows a new key.
    const isLastUnderLostKey = keys.status().state === "locked" && rows.length === 1;
    await commit(
      {
        writes: [
          { kind: "delete", table: "secrets", where: { house, name } },
          { kind: "delete", table: "secret_grants", where: { house, secret: name } },
        ],
        ...(isLastUnderLostKey ? { key: { row: undefined } } : {}),
      },
      report === undefined
        ? undefined
        : { house, right: report.right, event: { by: report.by, name, change: "removed" } },
    );
    if (isLastUnderLostKey) await keys.forget();
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
    async changeKey(newKey) {
      const oldKey = keys.current();
      const writes: Write[] = [];
      for (const row of await store.select({ table: "secrets" })) {
        const rewrapped = oldKey === undefined ? undefined : await envelopes.rewrap(row, oldKey, newKey.key);
        // A secret that cannot be opened stays as it is and is logged as damaged.
        if (rewrapped === undefined) log.write("error", "a secret is damaged", { house: row.house, secret: row.name });
        else writes.push({ kind: "put", table: "secrets", row: { ...row, ...rewrapped } });
      }
      await commitWithKey(newKey, commit({ guards: toKeyGuards(oldKey), writes, key: { row: newKey.row } }));
    },
  };
};

/** Returns guards that the key is still the vault's, because another daemon may have changed it. */
const toKeyGuards = (key: VaultKey | undefined): readonly Guard[] =>
  key === undefined ? [] : [{ kind: "exists", table: "vault_keys", where: { id: key.id } }];
