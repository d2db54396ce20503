/** API keys: shown once, kept as SHA-256, revoked and never deleted. */
import type { AgentId, KeyId } from "@hearth/protocol";
import type { Principal } from "./principal.ts";

export interface KeyRecord {
  readonly id: KeyId;
  readonly name: string;
  readonly agent: AgentId;
  readonly createdAt: number;
  readonly revokedAt?: number;
}

export interface Keys {
  create(name: string, agent: AgentId, by: AgentId): Promise<KeyRecord & { readonly key: string }>;
  list(): Promise<readonly KeyRecord[]>;
  /** Throws `record.not-found`. Revoking twice is no error. */
  revoke(id: KeyId, by: AgentId): Promise<KeyRecord>;
  /** Whose key this is, or nobody's. Re-read on every use. */
  authenticate(key: string): Promise<Principal | undefined>;
}
