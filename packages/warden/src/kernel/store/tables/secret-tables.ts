/** The tables of the vault. No value and no key stands in any of them in the clear. */

export interface SecretTables {
  /** Values of secrets, each sealed with a data key of its own, which is sealed with the vault's. */
  secrets: {
    readonly house: string;
    readonly name: string;
    /** Grows with each value. */
    readonly version: number;
    /** The vault key that `wrapped` is sealed with. */
    readonly key: string;
    /** Nonce and box, base64. */
    readonly wrapped: string;
    readonly sealed: string;
    readonly created_at: number;
    readonly set_at: number;
  };
  /** Which agent's requests a secret is put into, and where to. */
  secret_grants: {
    readonly id: string;
    readonly house: string;
    readonly secret: string;
    readonly agent: string;
    /** The rest of it, JSON. */
    readonly terms: string;
    readonly by: string;
    readonly at: number;
  };
  /** The one key that data keys are sealed with: where it lies, and how it is known again. Never the key. */
  vault_keys: {
    readonly id: string;
    /** `file`, `passphrase` or `keyring`. */
    readonly source: string;
    /** What its source needs to find it again, no secret. */
    readonly about: string;
    /** Something known, sealed with it: who has another key learns that they have. */
    readonly proof: string;
    /** Grows with each change of a secret: what was read to be sealed anew was all of it. */
    readonly revision: number;
    readonly created_at: number;
  };
  /** What turns did on the network, request by request. */
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
    /** Names of secrets that were put in, JSON. */
    readonly secrets: string;
    /** What a model took for it, JSON. */
    readonly usage: string | null;
  };
}
