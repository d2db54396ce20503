/**
 * API keys: shown once, stored as SHA-256, revoked and never deleted. A key may have a narrower
 * scope than its agent, or an end.
 */
import type { AgentId, KeyId, KeyScope } from "@hearth/protocol";
import type { Principal } from "../permissions/principal.ts";

export interface NewKey {
  readonly name: string;
  /** The agent that it acts as. */
  readonly agent: AgentId;
  /** Limits its rights. Absent: all rights of its agent. */
  readonly scope?: KeyScope;
  /** UTC milliseconds. Absent: valid until it is revoked. */
  readonly expiresAt?: number;
}

export interface KeyRecord extends NewKey {
  readonly id: KeyId;
  readonly createdAt: number;
  readonly revokedAt?: number;
}

export interface Keys {
  /**
   * Throws `grant.exceeds` if the new key would have more rights than its creator, other places, or
   * a later end; `record.not-found` for an unknown agent or place; `request.invalid` for a past
   * end.
   */
  create(key: NewKey, by: Pick<Principal, "agent" | "scope" | "until">): Promise<KeyRecord & { readonly key: string }>;
  list(): Promise<readonly KeyRecord[]>;
  /** Throws `record.not-found`. */
  get(id: KeyId): Promise<KeyRecord>;
  /** Throws `record.not-found`. Revoking twice is not an error. */
  revoke(id: KeyId, by: AgentId): Promise<KeyRecord>;
  /** The agent of this key with its scope, or undefined. Read again at each use. */
  authenticate(key: string): Promise<Principal | undefined>;
}
