/** The house's own values in the table of secrets, under names that no request can use. */
import type { Store } from "../../kernel/index.ts";
import type { VaultChanges } from "./vault-changes.ts";
import type { SealedSecrets } from "./sealed-secrets.ts";
import { checkSecret, ownNamesIn, toOwnName } from "./secret-rules.ts";
import type { OwnSecrets } from "./vault.ts";

export interface OwnSecretsOptions {
  readonly changes: VaultChanges;
  readonly store: Pick<Store, "select">;
  readonly secrets: Pick<SealedSecrets, "read" | "insert" | "drop">;
}

export const createOwnSecrets = ({ changes: { serialize }, store, secrets }: OwnSecretsOptions): OwnSecrets => {
  const names: OwnSecrets["names"] = async (house) =>
    ownNamesIn((await store.select({ table: "secrets", where: { house } })).map(({ name }) => name));
  return {
    names,
    read: (house, name) => secrets.read(house, toOwnName(name)),
    set: (house, name, value) =>
      serialize(async () => {
        checkSecret(name, value);
        await secrets.insert({ house, name: toOwnName(name), value });
      }),
    remove: (house, name) =>
      serialize(async () => {
        if ((await names(house)).includes(name)) await secrets.drop(house, toOwnName(name));
      }),
  };
};
