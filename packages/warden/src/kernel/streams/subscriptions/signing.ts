/**
 * The key that signs the house's webhooks. It is created once and kept in the store, and its public
 * half is published.
 */
import type { World } from "@hearth/protocol";
import type { Store } from "../../store/store.ts";
import type { Row } from "../../store/tables/tables.ts";

/** The interface of Ed25519 on the platform. Keys are the base64url of their raw bytes. */
export interface Ed25519 {
  generate(): { readonly public: string; readonly secret: string };
  /** Returns the signature of a text in UTF-8, as base64url. */
  sign(pair: { readonly public: string; readonly secret: string }, text: string): string;
}

export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "EdDSA";
}

export interface Signing {
  /** Returns the id of the key. Creates the key on first use. */
  keyId(): Promise<string>;
  /** The existing public keys. */
  publicKeys(): Promise<readonly PublicKey[]>;
  /** Returns the value of `Webhook-Signature` for a body that is sent now. */
  sign(body: string): Promise<string>;
}

export const createSigning = (options: {
  readonly world: Pick<World, "clock" | "hash">;
  readonly store: Store;
  readonly ed25519: Ed25519;
}): Signing => {
  const { world, store, ed25519 } = options;

  const selectKeys = (): Promise<readonly Row<"signing_keys">[]> =>
    store.select({ table: "signing_keys", order: [{ column: "created_at" }, { column: "id" }] });

  const loadOrCreateKey = async (): Promise<Row<"signing_keys">> => {
    for (;;) {
      const [existingKey] = await selectKeys();
      if (existingKey !== undefined) return existingKey;
      const pair = ed25519.generate();
      const row = { id: `ds_${world.hash(pair.public).slice(0, 16)}`, ...pair, created_at: world.clock.now() };
      await store.commit({ writes: [{ kind: "insert", table: "signing_keys", row }] });
    }
  };

  return {
    keyId: async () => (await loadOrCreateKey()).id,
    publicKeys: async () =>
      (await selectKeys()).map(({ id, public: x }) => ({
        kty: "OKP",
        crv: "Ed25519",
        x,
        kid: id,
        use: "sig",
        alg: "EdDSA",
      })),
    async sign(body) {
      const { id, ...pair } = await loadOrCreateKey();
      const seconds = Math.floor(world.clock.now() / 1000);
      return `t=${seconds},kid=${id},ed25519=${ed25519.sign(pair, `${seconds}.${body}`)}`;
    },
  };
};
