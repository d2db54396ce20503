/**
 * The vault over the store: people's secrets, the grants that say who may use them, and the key.
 */
import type { DurableStreams, Log, Row, Store } from "../../kernel/index.ts";
import { type HouseId, lazyMethods, type SecretInfo, type World } from "@hearth/protocol";
import type { Aead } from "./aead.ts";
import { createVaultChanges } from "./vault-changes.ts";
import { createEnvelopes } from "./envelope.ts";
import type { Redaction } from "./redaction.ts";
import { createSealedSecrets } from "./sealed-secrets.ts";
import {
  checkSecret,
  checkUse,
  chooseGrants,
  matchesGrant,
  grantsOf,
  isOwnName,
  secretNotFoundError,
  requireForProviders,
  toGrant,
  toInjection,
} from "./secret-rules.ts";
import { openVaultKeys } from "./vault-key.ts";
import type { Vault } from "./vault.ts";
import type { KeySources } from "./key-source.ts";

export interface VaultOptions {
  readonly world: Pick<World, "clock" | "ids" | "random">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly aead: Aead;
  readonly sources: KeySources;
  readonly passphrase: () => string | undefined;
  readonly ask?: (attempt: number) => Promise<string | undefined>;
  /** Learns every value, so that no output shows it. */
  readonly redaction: Pick<Redaction, "learn">;
}

type SecretRow = Row<"secrets">;

export const openVault = async (options: VaultOptions): Promise<Vault> => {
  const { world, log, store } = options;
  const envelopes = createEnvelopes({ aead: options.aead, random: world.random });
  const keys = await openVaultKeys({ ...options, envelopes });
  const changes = createVaultChanges(options);
  const { serialize } = changes;
  const secrets = createSealedSecrets({ ...options, envelopes, keys, changes });

  const find = async (house: HouseId, name: string): Promise<SecretRow> => {
    const [row] = isOwnName(name) ? [] : await store.select({ table: "secrets", where: { house, name } });
    if (row === undefined) throw secretNotFoundError(name);
    return row;
  };

  const show = async (house: HouseId, name: string): Promise<SecretInfo> =>
    toInfo(await find(house, name), await grantsOf(store, house));

  const read: Vault["read"] = async (house, name) => (isOwnName(name) ? undefined : secrets.read(house, name));

  const status = keys.status();
  if (status.state === "locked")
    log.write("error", "the vault is locked: no secret can be used", { why: status.why, fix: status.fix });
  const initialKey = status.state === "open" ? keys.current() : undefined;
  if (initialKey !== undefined) await secrets.learnAll(initialKey);

  return {
    own: lazyMethods(async () => {
      const { createOwnSecrets } = await import("./own-secrets.ts");
      return createOwnSecrets({ changes, store, secrets });
    }, ["names", "read", "set", "remove"]),
    status: keys.status,
    read,

    async list(house) {
      const rows = await store.select({ table: "secrets", where: { house }, order: [{ column: "name" }] });
      const grants = await grantsOf(store, house);
      return rows.filter(({ name }) => !isOwnName(name)).map((row) => toInfo(row, grants));
    },

    set: (house, { name, value }, by, right) =>
      serialize(async () => {
        checkSecret(name, value);
        await secrets.insert({ house, name, value }, { by, right, change: "set" });
        return show(house, name);
      }),

    rotate: (house, { name, value }, by, right) =>
      serialize(async () => {
        checkSecret(name, value);
        const row = await find(house, name);
        for (const { as } of (await show(house, name)).grants) checkUse(name, value, as);
        await secrets.put({ ...row, version: row.version + 1 }, value, { by, right, change: "rotated" });
        return show(house, name);
      }),

    remove: (house, name, by, right) =>
      serialize(async () => {
        await find(house, name);
        await secrets.drop(house, name, { by, right });
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
      const matchingGrants = rows
        .map((row) => ({ ...row, grant: toGrant(row) }))
        .filter(({ grant }) => matchesGrant(grant, to));
      return Promise.all(
        chooseGrants(matchingGrants).map(async ({ house, secret, grant }) => {
          const value = await read(house, secret);
          if (value === undefined) throw secretNotFoundError(secret);
          return toInjection(secret, grant.as, value);
        }),
      );
    },

    hasGrants: async () => (await store.select({ table: "secret_grants", limit: 1 })).length > 0,

    changeKey: ({ source, passphrase }) =>
      serialize(async () => {
        await secrets.changeKey(await keys.make(source, passphrase));
        log.write("info", "the vault has a new key", { source });
        return keys.status();
      }),
  };
};

const toInfo = (row: SecretRow, grants: readonly Row<"secret_grants">[]): SecretInfo => ({
  name: row.name,
  version: row.version,
  createdAt: row.created_at,
  setAt: row.set_at,
  grants: grants.filter(({ secret }) => secret === row.name).map(toGrant),
});
