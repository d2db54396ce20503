/** API keys: shown once, kept as SHA-256, revoked and never deleted. One may be made that does less than its agent, or not for ever. */
import type { AgentId, KeyId, KeyScope } from "@hearth/protocol";
import type { Principal } from "../permissions/principal.ts";

export interface NewKey {
  readonly name: string;
  /** Whom it acts as. */
  readonly agent: AgentId;
  /** What it may at most. Absent: all that its agent may. */
  readonly scope?: KeyScope;
  /** UTC milliseconds. Absent: it holds until it is revoked. */
  readonly expiresAt?: number;
}

export interface KeyRecord extends NewKey {
  readonly id: KeyId;
  readonly createdAt: number;
  readonly revokedAt?: number;
}

export interface Keys {
  /**
   * Throws `grant.exceeds` if the new key could do more than the key that asks for it, elsewhere, or for longer; `record.not-found` for an
   * agent or a place that is not there; `request.invalid` for one that has ended already.
   */
  create(key: NewKey, by: Pick<Principal, "agent" | "scope" | "until">): Promise<KeyRecord & { readonly key: string }>;
  list(): Promise<readonly KeyRecord[]>;
  /** Throws `record.not-found`. */
  get(id: KeyId): Promise<KeyRecord>;
  /** Throws `record.not-found`. Revoking twice is no error. */
  revoke(id: KeyId, by: AgentId): Promise<KeyRecord>;
  /** Whose key this is, and what it may at most; or nobody's. Re-read on every use. */
  authenticate(key: string): Promise<Principal | undefined>;
}
