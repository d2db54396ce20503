/**
 * The secrets of the houses: stored sealed, granted to agents for hosts, and added to requests at
 * the boundary. Values only leave the house to a provider, a channel or a granted host.
 */
import type {
  AgentId,
  ChangeVaultKey,
  CreateSecret,
  HouseId,
  HttpMethod,
  NewSecretGrant,
  Right,
  SecretGrant,
  SecretGrantId,
  SecretInfo,
  VaultStatus,
} from "@hearth/protocol";

/**
 * An outgoing request as the boundary parsed it. The cell's description of the request is never
 * used.
 */
export interface Outgoing {
  readonly scheme: "http" | "https";
  /** The host of the connection: lower case, without a trailing dot. */
  readonly host: string;
  readonly port: number;
  readonly method: HttpMethod | (string & {});
}

/** A header that replaces the request's own header of that name. */
export interface Injection {
  /** The name of the secret. */
  readonly secret: string;
  readonly header: string;
  readonly value: string;
}

/**
 * Values that the house keeps for itself, such as the seeds of authenticator apps. They are sealed
 * like other secrets. No list, event, grant or reference names them, so no request returns or sends
 * one. A value never changes: another value needs another name.
 */
export interface OwnSecrets {
  names(house: HouseId): Promise<readonly string[]>;
  /** Returns the value, or undefined if it is missing. Throws `secret.locked`, `secret.damaged`. */
  read(house: HouseId, name: string): Promise<string | undefined>;
  /** Stores a value. Throws `secret.taken`, `secret.invalid`, `secret.locked`. */
  set(house: HouseId, name: string, value: string): Promise<void>;
  /** Removes the value, if it exists. Works while the vault is locked. */
  remove(house: HouseId, name: string): Promise<void>;
}

/**
 * Contract, checked by `vaultConformance`:
 * - no list, event or error contains a value
 * - a value is returned exactly; `set` never replaces another value, `rotate` never creates a
 *   secret
 * - grants survive a change of the value and are removed with the secret
 * - an agent gets injections only from its own grants, for exactly the host, port and method
 *   granted, and over plain HTTP only if the grant allows it; of two grants for one header, the
 *   more exact host wins, then the newer one
 * - a provider gets a value only for a host, port and scheme that a grant for `providers` names
 * - while the vault is locked, reading, writing and granting throw `secret.locked`; lists can be
 *   read, and secrets and grants removed
 * - with a right instead of the level, a secret is granted only to another agent, on the terms of a
 *   present grant, so that no value reaches a new host
 * - the house's own values are in no list, and no other method reads, grants, changes or removes one
 */
export interface Vault {
  // `right` is the right that admitted a change. It is absent if the level did.
  readonly own: OwnSecrets;
  status(): VaultStatus;
  /** Returns the secrets, sorted by name. */
  list(house: HouseId): Promise<readonly SecretInfo[]>;
  /** Stores a new secret. Throws `secret.taken`, `secret.invalid`, `secret.locked`. */
  set(house: HouseId, secret: CreateSecret, by: AgentId, right?: Right): Promise<SecretInfo>;
  /**
   * Replaces the value of a secret. Throws `secret.not-found`, `secret.invalid`, `secret.locked`.
   */
  rotate(house: HouseId, secret: CreateSecret, by: AgentId, right?: Right): Promise<SecretInfo>;
  /** Removes a secret and its grants. Throws `secret.not-found`. */
  remove(house: HouseId, name: string, by: AgentId, right?: Right): Promise<void>;
  /**
   * Grants a secret. Throws `secret.not-found`, `secret.invalid` for an agent of another house or
   * a value that cannot be sent that way, and `auth.denied` for new terms with a right.
   */
  grant(house: HouseId, name: string, terms: NewSecretGrant, by: AgentId, right?: Right): Promise<SecretGrant>;
  /** Removes a grant. Throws `secret.not-found`. */
  revoke(house: HouseId, name: string, grant: SecretGrantId, by: AgentId, right?: Right): Promise<void>;
  /**
   * Returns the value for a provider's call to this host, or undefined if there is no such
   * secret. Throws `secret.locked`, `secret.damaged`, and `secret.invalid` if no grant for
   * `providers` covers the host, port and scheme.
   */
  readFor(house: HouseId, name: string, to: Omit<Outgoing, "method">): Promise<string | undefined>;
  /**
   * Returns the value for the house's own use, or undefined if there is no such secret. Throws
   * `secret.locked`, `secret.damaged`.
   */
  read(house: HouseId, name: string): Promise<string | undefined>;
  /**
   * Returns the headers to inject. Throws `secret.locked` if a granted secret cannot be read,
   * because the request would lack its credential.
   */
  injectionsFor(agent: AgentId, to: Outgoing): Promise<readonly Injection[]>;
  /** Whether any secret is injected into requests, so that a response could contain it. */
  hasGrants(): Promise<boolean>;
  /**
   * Seals all secrets with a new key from this source in one commit, and removes the old key.
   * Throws `secret.locked`, `secret.invalid`.
   */
  changeKey(to: ChangeVaultKey): Promise<VaultStatus>;
}
