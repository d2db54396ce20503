/**
 * The vault in the store. Each write is guarded by the key that it is sealed with, in one commit.
 * Redaction learns every value.
 */
import type { Log, Guard, Store, Write, Row, DurableStreams } from "../../kernel/index.ts";
import {
  type AgentId,
  HearthError,
  type HouseId,
  isHearthError,
  lazyMethods,
  type SecretInfo,
  type World,
} from "@hearth/protocol";
import type { Aead } from "./aead.ts";
import { createChanges } from "./changes.ts";
import { createEnvelopes, sizeOf, type VaultKey } from "./envelope.ts";
import type { Redaction } from "./redaction.ts";
import {
  checkRoom,
  checkSecret,
  checkUse,
  choose,
  fits,
  grantsOf,
  isOwnName,
  noSecret,
  requireForProviders,
  taken,
  toGrant,
  toInjection,
} from "./terms.ts";
import { type NewVaultKey, openVaultKeys, type VaultKeyOptions } from "./vault-key.ts";
import type { Vault } from "./vault.ts";

export interface VaultOptions {
  readonly world: Pick<World, "clock" | "ids" | "random">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly aead: Aead;
  readonly sources: VaultKeyOptions["sources"];
  readonly passphrase: VaultKeyOptions["passphrase"];
  readonly ask?: NonNullable<VaultKeyOptions["ask"]>;
  /** Learns every value, so that it is not shown. */
  readonly redaction: Pick<Redaction, "learn">;
}

type SecretRow = Row<"secrets">;

export const openVault = async (options: VaultOptions): Promise<Vault> => {
  const { world, log, store, redaction } = options;
  const envelopes = createEnvelopes({ aead: options.aead, random: world.random });
  const keys = await openVaultKeys({ ...options, envelopes });
  const changes = createChanges(options);
  const { inTurn, commit } = changes;

  const find = async (house: HouseId, name: string): Promise<SecretRow> => {
    const [row] = isOwnName(name) ? [] : await store.select({ table: "secrets", where: { house, name } });
    if (row === undefined) throw noSecret(name);
    return row;
  };

  const show = async (house: HouseId, name: string): Promise<SecretInfo> =>
    toInfo(await find(house, name), await grantsOf(store, house));

  const readStored: Vault["read"] = async (house, name) => {
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

  const read: Vault["read"] = async (house, name) => (isOwnName(name) ? undefined : readStored(house, name));

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

  /** Seals a value and writes it. The first secret also creates the vault's key. */
  const keep = async (
    row: Pick<SecretRow, "house" | "name" | "version" | "created_at">,
    value: string,
    told?: { readonly by: AgentId; readonly change: "set" | "rotated" },
  ): Promise<void> => {
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
    // Learn the value before it can be read, so that no output in between shows it.
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
      told === undefined ? undefined : { house, event: { ...told, name } },
    );
    await unlessRefused(made, work);
  };

  const insert = async (
    { house, name, value }: Pick<SecretRow, "house" | "name"> & { readonly value: string },
    told?: { readonly by: AgentId; readonly change: "set" },
  ): Promise<void> => {
    const [present] = await store.select({ table: "secrets", where: { house, name } });
    if (present !== undefined) throw taken(name);
    await keep({ house, name, version: 1, created_at: world.clock.now() }, value, told);
  };

  const drop = async (house: HouseId, name: string, by?: AgentId): Promise<void> => {
    const all = await store.select({ table: "secrets", limit: 2 });
    // If the key is lost, removing the last secret allows a new key.
    const isOver = keys.status().state === "locked" && all.length === 1;
    await commit(
      {
        writes: [
          { kind: "delete", table: "secrets", where: { house, name } },
          { kind: "delete", table: "secret_grants", where: { house, secret: name } },
        ],
        ...(isOver ? { key: { row: undefined } } : {}),
      },
      by === undefined ? undefined : { house, event: { by, name, change: "removed" } },
    );
    if (isOver) await keys.forget();
  };

  /** Redaction learns all stored values at the start. */
  const learnAll = async (key: VaultKey): Promise<void> => {
    for (const row of await store.select({ table: "secrets" })) {
      const value = await envelopes.open(row, key);
      if (value === undefined) log.write("error", "a secret is damaged", { house: row.house, secret: row.name });
      else redaction.learn(row.house, row.name, value);
    }
  };

  const status = keys.status();
  if (status.state === "locked")
    log.write("error", "the vault is locked: no secret can be used", { why: status.why, fix: status.fix });
  const atStart = status.state === "open" ? keys.current() : undefined;
  if (atStart !== undefined) await learnAll(atStart);

  return {
    own: lazyMethods(async () => {
      const { createOwnSecrets } = await import("./own-secrets.ts");
      return createOwnSecrets({ changes, store, read: readStored, insert, drop });
    }, ["names", "read", "set", "remove"]),
    status: keys.status,
    read,

    async list(house) {
      const rows = await store.select({ table: "secrets", where: { house }, order: [{ column: "name" }] });
      const grants = await grantsOf(store, house);
      return rows.filter(({ name }) => !isOwnName(name)).map((row) => toInfo(row, grants));
    },

    set: (house, { name, value }, by) =>
      inTurn(async () => {
        checkSecret(name, value);
        await insert({ house, name, value }, { by, change: "set" });
        return show(house, name);
      }),

    rotate: (house, { name, value }, by) =>
      inTurn(async () => {
        checkSecret(name, value);
        const row = await find(house, name);
        for (const { as } of (await show(house, name)).grants) checkUse(name, value, as);
        await keep({ ...row, version: row.version + 1 }, value, { by, change: "rotated" });
        return show(house, name);
      }),

    remove: (house, name, by) =>
      inTurn(async () => {
        await find(house, name);
        await drop(house, name, by);
      }),

    ...lazyMethods(async () => {
      const { createGrants } = await import("./secret-grants.ts");
      return createGrants({ world, store, changes, find, read });
    }, ["grant", "revoke"]),

    async readFor(house, name, to) {
      const value = await read(house, name);
      if (value === undefined) return undefined;
      const rows = await store.select({ table: "secret_grants", where: { house, secret: name } });
      requireForProviders(name, rows.map(toGrant), to);
      return value;
    },

    async injectionsFor(agent, to) {
      const rows = await store.select({ table: "secret_grants", where: { agent } });
      const granted = rows.map((row) => ({ ...row, grant: toGrant(row) })).filter(({ grant }) => fits(grant, to));
      return Promise.all(
        choose(granted).map(async ({ house, secret, grant }) => {
          const value = await read(house, secret);
          if (value === undefined) throw noSecret(secret);
          return toInjection(secret, grant.as, value);
        }),
      );
    },

    hasGrants: async () => (await store.select({ table: "secret_grants", limit: 1 })).length > 0,

    changeKey: ({ source, passphrase }) =>
      inTurn(async () => {
        const from = keys.current();
        const made = await keys.make(source, passphrase);
        const writes: Write[] = [];
        for (const row of await store.select({ table: "secrets" })) {
          const wrapped = from === undefined ? undefined : await envelopes.rewrap(row, from, made.key);
          // A secret that cannot be opened stays as it is and is logged as damaged.
          if (wrapped === undefined) log.write("error", "a secret is damaged", { house: row.house, secret: row.name });
          else writes.push({ kind: "put", table: "secrets", row: { ...row, ...wrapped } });
        }
        await unlessRefused(made, commit({ guards: keyGuards(from), writes, key: { row: made.row } }));
        log.write("info", "the vault has a new key", { source });
        return keys.status();
      }),
  };
};

/** Guards that the key is still the vault's: another daemon may have changed it. */
const keyGuards = (key: VaultKey | undefined): readonly Guard[] =>
  key === undefined ? [] : [{ kind: "exists", table: "vault_keys", where: { id: key.id } }];

const toInfo = (row: SecretRow, grants: readonly Row<"secret_grants">[]): SecretInfo => ({
  name: row.name,
  version: row.version,
  createdAt: row.created_at,
  setAt: row.set_at,
  grants: grants.filter(({ secret }) => secret === row.name).map(toGrant),
});
