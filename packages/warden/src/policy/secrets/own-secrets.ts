/** The house's own values in the table of secrets, under names that no request can give. */
import type { Store } from "../../kernel/index.ts";
import type { HouseId } from "@hearth/protocol";
import type { Changes } from "./changes.ts";
import { checkSecret, ownNamesIn, toOwnName } from "./terms.ts";
import type { OwnSecrets } from "./vault.ts";

export interface OwnSecretsOptions {
  readonly changes: Changes;
  readonly store: Pick<Store, "select">;
  readonly read: OwnSecrets["read"];
  readonly insert: (row: { readonly house: HouseId; readonly name: string; readonly value: string }) => Promise<void>;
  readonly drop: (house: HouseId, name: string) => Promise<void>;
}

export const createOwnSecrets = ({ changes: { inTurn }, store, read, insert, drop }: OwnSecretsOptions): OwnSecrets => {
  const names: OwnSecrets["names"] = async (house) =>
    ownNamesIn((await store.select({ table: "secrets", where: { house } })).map(({ name }) => name));
  return {
    names,
    read: (house, name) => read(house, toOwnName(name)),
    set: (house, name, value) =>
      inTurn(async () => {
        checkSecret(name, value);
        await insert({ house, name: toOwnName(name), value });
      }),
    remove: (house, name) =>
      inTurn(async () => {
        if ((await names(house)).includes(name)) await drop(house, toOwnName(name));
      }),
  };
};
