/** Grants of secrets: the conditions under which an agent or the providers may use a secret. */
import { type Guard, type Row, type Store, writeJson } from "../../kernel/index.ts";
import { type HouseId, NewSecretGrant, type World } from "@hearth/protocol";
import type { VaultChanges } from "./vault-changes.ts";
import { checkUse, grantNotFoundError, agentNotFoundError, requireExistingTerms, toGrant } from "./secret-rules.ts";
import type { Vault } from "./vault.ts";

export interface GrantsOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
  readonly changes: VaultChanges;
  /** Returns the row of a secret. Throws `secret.not-found`. */
  readonly find: (house: HouseId, name: string) => Promise<Row<"secrets">>;
  readonly read: Vault["read"];
}

export const createGrants = ({
  world,
  store,
  changes: { serialize, commit },
  find,
  read,
}: GrantsOptions): Pick<Vault, "grant" | "revoke"> => {
  const grantsIn = (house: HouseId, secret: string) =>
    store.select({ table: "secret_grants", where: { house, secret } });
  return {
    grant: (house, name, newGrant, by, right) =>
      serialize(async () => {
        const { agent, ...terms } = NewSecretGrant.parse(newGrant);
        const { version } = await find(house, name);
        if (right !== undefined) requireExistingTerms(name, terms, (await grantsIn(house, name)).map(toGrant));
        checkUse(name, (await read(house, name)) ?? "", terms.as);
        const agentGuards: Guard[] =
          agent === "providers"
            ? []
            : [{ kind: "exists", table: "records", where: { id: agent, type: "agent", house } }];
        if (agent !== "providers") {
          const [record] = await store.select({ table: "records", where: { id: agent, type: "agent", house } });
          if (record === undefined) throw agentNotFoundError(agent, name);
        }
        const id = world.ids.fresh("sgr");
        const at = world.clock.now();
        const row = { id, house, secret: name, agent, terms: writeJson(terms), by, at };
        await commit(
          {
            guards: [{ kind: "exists", table: "secrets", where: { house, name, version } }, ...agentGuards],
            writes: [{ kind: "insert", table: "secret_grants", row }],
          },
          { house, right, event: { by, name, change: "granted", agent, host: terms.host } },
        );
        return toGrant(row);
      }),

    revoke: (house, name, id, by, right) =>
      serialize(async () => {
        const [row] = await store.select({ table: "secret_grants", where: { id, house, secret: name } });
        if (row === undefined) throw grantNotFoundError(name, id);
        const { agent, host } = toGrant(row);
        await commit(
          { writes: [{ kind: "delete", table: "secret_grants", where: { id } }] },
          { house, right, event: { by, name, change: "revoked", agent, host } },
        );
      }),
  };
};
