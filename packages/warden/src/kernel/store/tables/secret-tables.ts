/** The tables of the vault. None has a value or a key in plain text. */

export interface SecretTables {
  /** Secrets, each sealed with its own data key, which is sealed with the vault's key. */
  secrets: {
    readonly house: string;
    readonly name: string;
    /** Increases with each value. */
    readonly version: number;
    /** The vault key that `wrapped` is sealed with. */
    readonly key: string;
    /** Nonce and box, base64. */
    readonly wrapped: string;
    readonly sealed: string;
    readonly created_at: number;
    readonly set_at: number;
  };
  /** Which agents' requests receive a secret, and for which hosts. */
  secret_grants: {
    readonly id: string;
    readonly house: string;
    readonly secret: string;
    readonly agent: string;
    /** The other terms, as JSON. */
    readonly terms: string;
    readonly by: string;
    readonly at: number;
  };
  /** The key that seals data keys: where it is stored, and its proof. Never the key. */
  vault_keys: {
    readonly id: string;
    /** `file`, `passphrase` or `keyring`. */
    readonly source: string;
    /** Data that its source needs to find it; not secret. */
    readonly about: string;
    /** A known text sealed with the key, which detects a wrong key. */
    readonly proof: string;
    /** Increases with each change of a secret, so that a key change detects concurrent ones. */
    readonly revision: number;
    readonly created_at: number;
  };
  /** Network requests of turns. */
  egress: {
    readonly id: string;
    readonly agent: string;
    readonly activation: string | null;
    readonly at: number;
    readonly host: string;
    readonly port: number;
    readonly method: string | null;
    /** Without its query. */
    readonly path: string | null;
    /** `allowed`, `refused` or `failed`. */
    readonly outcome: string;
    readonly status: number | null;
    readonly why: string | null;
    readonly sent_bytes: number;
    readonly received_bytes: number;
    /** Names of injected secrets, as JSON. */
    readonly secrets: string;
    /** Usage of a model request, as JSON. */
    readonly usage: string | null;
  };
}
