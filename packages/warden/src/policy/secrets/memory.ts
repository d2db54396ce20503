/** A vault in memory, with the whole contract except durability. */
import {
  type AgentId,
  type HouseId,
  NewSecretGrant,
  type SecretGrant,
  type VaultStatus,
  type World,
} from "@hearth/protocol";
import {
  checkRoom,
  checkSecret,
  checkUse,
  chooseGrants,
  matchesGrant,
  isOwnName,
  grantNotFoundError,
  secretNotFoundError,
  agentNotFoundError,
  ownNamesIn,
  requireForProviders,
  requireExistingTerms,
  secretExistsError,
  toOwnName,
  toInjection,
} from "./secret-rules.ts";
import { checkPassphrase, vaultLockedError } from "./vault-key.ts";
import type { OwnSecrets, Vault } from "./vault.ts";

interface StoredSecret {
  readonly value: string;
  readonly version: number;
  readonly createdAt: number;
  readonly setAt: number;
  readonly grants: readonly SecretGrant[];
}

export interface MemoryVault extends Vault {
  /** Locks or unlocks the vault, as if its key were missing. */
  lock(isLocked: boolean): void;
}

export const createMemoryVault = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly records: { find(type: "agent", id: AgentId): Promise<{ readonly house: HouseId } | undefined> };
}): MemoryVault => {
  const { world, records } = options;
  const houses = new Map<HouseId, Map<string, StoredSecret>>();
  let status: VaultStatus = { state: "empty" };
  let isLocked = false;

  const secretsOf = (house: HouseId): Map<string, StoredSecret> => {
    const secrets = houses.get(house) ?? new Map<string, StoredSecret>();
    houses.set(house, secrets);
    return secrets;
  };
  const find = (house: HouseId, name: string): StoredSecret => {
    const secret = isOwnName(name) ? undefined : secretsOf(house).get(name);
    if (secret === undefined) throw secretNotFoundError(name);
    return secret;
  };
  const readStatus = (): VaultStatus =>
    isLocked ? { state: "locked", source: "file", why: "locked by the test", fix: "Unlock it in the test." } : status;
  const requireOpen = (): void => {
    const vaultStatus = readStatus();
    if (vaultStatus.state === "locked") throw vaultLockedError(vaultStatus);
  };
  const toInfo = (name: string, { version, createdAt, setAt, grants }: StoredSecret) => ({
    name,
    version,
    createdAt,
    setAt,
    grants: [...grants],
  });
  /** Returns the size of all values except this one, in bytes. */
  const countOtherBytes = (house: HouseId, name: string): number =>
    [...houses].reduce(
      (sum, [houseId, secrets]) =>
        [...secrets].reduce(
          (total, [otherName, { value }]) =>
            houseId === house && otherName === name ? total : total + new TextEncoder().encode(value).length,
          sum,
        ),
      0,
    );
  const storeSecret = (house: HouseId, name: string, secret: StoredSecret) => {
    secretsOf(house).set(name, secret);
    if (status.state === "empty") status = { state: "open", source: "file" };
    return toInfo(name, secret);
  };

  const insert = (house: HouseId, name: string, value: string) => {
    if (secretsOf(house).has(name)) throw secretExistsError(name);
    requireOpen();
    checkRoom(value, countOtherBytes(house, name));
    const at = world.clock.now();
    return storeSecret(house, name, { value, version: 1, createdAt: at, setAt: at, grants: [] });
  };
  const own: OwnSecrets = {
    names: async (house) => ownNamesIn([...secretsOf(house).keys()]),
    async read(house, name) {
      requireOpen();
      return secretsOf(house).get(toOwnName(name))?.value;
    },
    async set(house, name, value) {
      checkSecret(name, value);
      insert(house, toOwnName(name), value);
    },
    async remove(house, name) {
      secretsOf(house).delete(toOwnName(name));
    },
  };

  return {
    own,
    status: readStatus,
    lock(locked) {
      isLocked = locked;
    },

    list: async (house) =>
      [...secretsOf(house)]
        .filter(([name]) => !isOwnName(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, secret]) => toInfo(name, secret)),

    async set(house, { name, value }) {
      checkSecret(name, value);
      return insert(house, name, value);
    },

    async rotate(house, { name, value }) {
      checkSecret(name, value);
      const secret = find(house, name);
      for (const { as } of secret.grants) checkUse(name, value, as);
      requireOpen();
      checkRoom(value, countOtherBytes(house, name));
      return storeSecret(house, name, { ...secret, value, version: secret.version + 1, setAt: world.clock.now() });
    },

    async remove(house, name) {
      find(house, name);
      secretsOf(house).delete(name);
    },

    async grant(house, name, newGrant, by, right) {
      const terms = NewSecretGrant.parse(newGrant);
      const secret = find(house, name);
      requireOpen();
      if (right !== undefined) requireExistingTerms(name, terms, secret.grants);
      checkUse(name, secret.value, terms.as);
      if (terms.agent !== "providers" && (await records.find("agent", terms.agent))?.house !== house)
        throw agentNotFoundError(terms.agent, name);
      const grant: SecretGrant = { ...terms, id: world.ids.fresh("sgr"), by, at: world.clock.now() };
      storeSecret(house, name, { ...secret, grants: [...secret.grants, grant] });
      return grant;
    },

    async revoke(house, name, id) {
      const secret = secretsOf(house).get(name);
      const grants = secret?.grants.filter((grant) => grant.id !== id);
      if (secret === undefined || grants?.length === secret.grants.length) throw grantNotFoundError(name, id);
      storeSecret(house, name, { ...secret, grants: grants ?? [] });
    },

    async read(house, name) {
      requireOpen();
      return isOwnName(name) ? undefined : secretsOf(house).get(name)?.value;
    },

    async readFor(house, name, to) {
      requireOpen();
      const secret = isOwnName(name) ? undefined : secretsOf(house).get(name);
      if (secret === undefined) return undefined;
      requireForProviders(name, secret.grants, to);
      return secret.value;
    },

    async injectionsFor(agent, to) {
      const granted = [...houses.values()].flatMap((secrets) =>
        [...secrets].flatMap(([secret, { value, grants }]) =>
          grants
            .filter((grant) => grant.agent === agent && matchesGrant(grant, to))
            .map((grant) => ({ secret, value, grant })),
        ),
      );
      if (granted.length > 0) requireOpen();
      return chooseGrants(granted).map(({ secret, value, grant }) => toInjection(secret, grant.as, value));
    },

    hasGrants: async () =>
      [...houses.values()].some((secrets) => [...secrets.values()].some(({ grants }) => grants.length > 0)),

    async changeKey({ source, passphrase }) {
      requireOpen();
      if (source === "passphrase") checkPassphrase(passphrase);
      status = { state: "open", source };
      return status;
    },
  };
};
