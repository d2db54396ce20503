/** Calls about the secrets of a house, by its id or handle. No answer contains a secret's value. */
import {
  type ChangeVaultKey,
  type CreateSecret,
  type NewSecretGrant,
  SecretGrant,
  SecretInfo,
  SecretList,
  VaultStatus,
} from "@hearth/protocol";
import { at, type Connection, request, requestJson } from "./request.ts";

export const createSecretCalls = (connection: Connection) => {
  const pathOf = (house: string, ...more: readonly string[]): string => at("/api/houses", house, "secrets", ...more);
  const remove = async (path: string): Promise<void> => {
    const response = await request(connection, "DELETE", path);
    await response.body?.cancel();
  };
  return {
    list: (house: string): Promise<readonly SecretInfo[]> => requestJson(connection, SecretList, "GET", pathOf(house)),
    set: (house: string, secret: CreateSecret): Promise<SecretInfo> =>
      requestJson(connection, SecretInfo, "POST", pathOf(house), { body: secret }),
    /** Replaces the value; the grants stay. */
    rotate: (house: string, name: string, value: string): Promise<SecretInfo> =>
      requestJson(connection, SecretInfo, "POST", pathOf(house, name, "rotate"), { body: { value } }),
    remove: (house: string, name: string): Promise<void> => remove(pathOf(house, name)),
    grant: (house: string, name: string, terms: NewSecretGrant): Promise<SecretGrant> =>
      requestJson(connection, SecretGrant, "POST", pathOf(house, name, "grants"), { body: terms }),
    revoke: (house: string, name: string, grant: string): Promise<void> => remove(pathOf(house, name, "grants", grant)),
    /** Where the vault's master key is, and whether it is available. */
    vault: (): Promise<VaultStatus> => requestJson(connection, VaultStatus, "GET", "/api/vault"),
    changeKey: (to: ChangeVaultKey): Promise<VaultStatus> =>
      requestJson(connection, VaultStatus, "POST", "/api/vault/key", { body: to }),
  };
};
