/**
 * The secrets of the houses: stored sealed, granted to agents for hosts, and added to requests at
 * the boundary. Values leave only towards a provider, a channel or a granted host.
 */
import type {
  AgentId,
  ChangeVaultKey,
  CreateSecret,
  HouseId,
  HttpMethod,
  NewSecretGrant,
  SecretGrant,
  SecretGrantId,
  SecretInfo,
  VaultStatus,
} from "@hearth/protocol";

/** An outgoing request as the boundary parsed it, never as the cell describes it. */
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
 * one. A value never changes; another value has another name.
 */
export interface OwnSecrets {
  names(house: HouseId): Promise<readonly string[]>;
  /** Undefined if there is no such value. Throws `secret.locked`, `secret.damaged`. */
  read(house: HouseId, name: string): Promise<string | undefined>;
  /** Throws `secret.taken`, `secret.invalid`, `secret.locked`. */
  set(house: HouseId, name: string, value: string): Promise<void>;
  /** Nothing if there is no such value. Works while the vault is locked. */
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
 * - the house's own values are in no list, and no other method reads, grants, changes or removes one
 */
export interface Vault {
  readonly own: OwnSecrets;
  status(): VaultStatus;
  /** Sorted by name. */
  list(house: HouseId): Promise<readonly SecretInfo[]>;
  /** Throws `secret.taken`, `secret.invalid`, `secret.locked`. */
  set(house: HouseId, secret: CreateSecret, by: AgentId): Promise<SecretInfo>;
  /** Throws `secret.not-found`, `secret.invalid`, `secret.locked`. */
  rotate(house: HouseId, secret: CreateSecret, by: AgentId): Promise<SecretInfo>;
  /** Throws `secret.not-found`. */
  remove(house: HouseId, name: string, by: AgentId): Promise<void>;
  /**
   * Throws `secret.not-found`, and `secret.invalid` for an agent of another house or a value that
   * cannot be sent that way.
   */
  grant(house: HouseId, name: string, terms: NewSecretGrant, by: AgentId): Promise<SecretGrant>;
  /** Throws `secret.not-found`. */
  revoke(house: HouseId, name: string, grant: SecretGrantId, by: AgentId): Promise<void>;
  /**
   * The value for a provider's call to this host; undefined if there is no such secret. Throws
   * `secret.invalid` if no grant for `providers` covers the host, port and scheme; `secret.locked`,
   * `secret.damaged`.
   */
  readFor(house: HouseId, name: string, to: Omit<Outgoing, "method">): Promise<string | undefined>;
  /**
   * The value for the house's own use; undefined if there is no such secret. Throws
   * `secret.locked`, `secret.damaged`.
   */
  read(house: HouseId, name: string): Promise<string | undefined>;
  /**
   * Throws `secret.locked` if a granted secret cannot be read, because the request would lack its
   * credential.
   */
  injectionsFor(agent: AgentId, to: Outgoing): Promise<readonly Injection[]>;
  /** Whether any secret is injected into requests, so that a response could echo it. */
  hasGrants(): Promise<boolean>;
  /**
   * Seals everything with a new key from this source in one commit, and drops the old key. Throws
   * `secret.locked`, `secret.invalid`.
   */
  changeKey(to: ChangeVaultKey): Promise<VaultStatus>;
}
