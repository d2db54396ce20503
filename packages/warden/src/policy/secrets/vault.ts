/**
 * The secrets of the houses: kept sealed, given to agents for hosts, and put on the wire at the boundary. A value comes in here and
 * leaves towards a provider, a channel or a granted host, and no other way.
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

/** A request on its way out, as the boundary reads it: never what the cell says of it. */
export interface Outgoing {
  readonly scheme: "http" | "https";
  /** As it is connected to: lower case, without a dot at its end. */
  readonly host: string;
  readonly port: number;
  readonly method: HttpMethod | (string & {});
}

/** A header that takes the place of whatever the request had there. */
export interface Injection {
  /** The name of the secret. */
  readonly secret: string;
  readonly header: string;
  readonly value: string;
}

/**
 * Contract, checked by `vaultConformance`:
 * - no list, event or failure tells a value
 * - a value comes back to the code unit; `set` never takes the place of another, `rotate` never makes a new one
 * - what is granted stays granted when the value changes, and goes with the secret
 * - an agent gets injections from grants of its own alone, for exactly the host, port and method granted, and over plain HTTP only where
 *   the grant says so; of two that name one header, the one with the more exact host counts, then the newer one
 * - a provider gets a value only for a host, port and scheme that a grant for `providers` names
 * - while it is locked, nothing is read, written or granted: all of these throw `secret.locked`. Lists are read, and what is there can be
 *   removed and taken away
 */
export interface Vault {
  status(): VaultStatus;
  /** By name. */
  list(house: HouseId): Promise<readonly SecretInfo[]>;
  /** Throws `secret.taken`, `secret.invalid`, `secret.locked`. */
  set(house: HouseId, secret: CreateSecret, by: AgentId): Promise<SecretInfo>;
  /** Throws `secret.not-found`, `secret.invalid`, `secret.locked`. */
  rotate(house: HouseId, secret: CreateSecret, by: AgentId): Promise<SecretInfo>;
  /** Throws `secret.not-found`. */
  remove(house: HouseId, name: string, by: AgentId): Promise<void>;
  /** Throws `secret.not-found`, `secret.invalid` for an agent of another house or a value that could not stand so in a request. */
  grant(house: HouseId, name: string, terms: NewSecretGrant, by: AgentId): Promise<SecretGrant>;
  /** Throws `secret.not-found`. */
  revoke(house: HouseId, name: string, grant: SecretGrantId, by: AgentId): Promise<void>;
  /**
   * The value, for a provider's call to this host. Nothing where there is none. Throws `secret.invalid` where no grant for
   * `providers` covers the host, port and scheme; `secret.locked`, `secret.damaged`.
   */
  readFor(house: HouseId, name: string, to: Omit<Outgoing, "method">): Promise<string | undefined>;
  /** The value, for the house's own use. Nothing where there is none. Throws `secret.locked`, `secret.damaged`. */
  read(house: HouseId, name: string): Promise<string | undefined>;
  /** Throws `secret.locked` where something is granted and cannot be read: a request without its credential is none. */
  injectionsFor(agent: AgentId, to: Outgoing): Promise<readonly Injection[]>;
  /** Whether any secret is put into requests, so that it could come back. */
  hasGrants(): Promise<boolean>;
  /** Seals everything with a new key from this place, in one commit, and forgets the old one. Throws `secret.locked`, `secret.invalid`. */
  changeKey(to: ChangeVaultKey): Promise<VaultStatus>;
}
