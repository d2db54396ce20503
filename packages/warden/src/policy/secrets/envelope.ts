/**
 * Envelope encryption: a value is sealed with its own data key, and the data key is sealed with the
 * vault's key.
 */
import type { Row } from "../../kernel/index.ts";
import type { World } from "@hearth/protocol";
import { type Aead, KEY_SIZE, NONCE_SIZE } from "./aead.ts";
import { fromBase64, toBase64 } from "./secret-rules.ts";

export interface VaultKey {
  readonly id: string;
  readonly key: Uint8Array;
}

type Envelope = Pick<Row<"secrets">, "house" | "name" | "version" | "key" | "wrapped" | "sealed">;

export interface Envelopes {
  seal(context: Pick<Envelope, "house" | "name" | "version">, value: string, vaultKey: VaultKey): Promise<Envelope>;
  /**
   * Returns the value. Returns undefined if another key sealed the envelope, or if it was changed
   * or belongs to another secret.
   */
  open(envelope: Envelope, vaultKey: VaultKey): Promise<string | undefined>;
  /**
   * Seals the data key with another key. The sealed value stays the same. Returns undefined if
   * `open` would.
   */
  rewrap(envelope: Envelope, from: VaultKey, to: VaultKey): Promise<Envelope | undefined>;
  /** Seals a known text with the key. No other key can open the result. */
  prove(key: VaultKey): Promise<string>;
  isProof(proof: string, key: VaultKey): Promise<boolean>;
}

const PROOF = new TextEncoder().encode("this is the key");

export const createEnvelopes = ({
  aead,
  random,
}: {
  readonly aead: Aead;
  readonly random: World["random"];
}): Envelopes => {
  /** Returns nonce and ciphertext. Each nonce is random, and a data key seals only once. */
  const seal = async (key: Uint8Array, plaintext: Uint8Array, context: string): Promise<string> => {
    const nonce = random(NONCE_SIZE);
    const ciphertext = await aead.seal(key, nonce, plaintext, context);
    const sealedBytes = new Uint8Array(NONCE_SIZE + ciphertext.length);
    sealedBytes.set(nonce);
    sealedBytes.set(ciphertext, NONCE_SIZE);
    return toBase64(sealedBytes);
  };
  const openBox = async (key: Uint8Array, text: string, context: string): Promise<Uint8Array | undefined> => {
    const sealedBytes = readBase64(text);
    return sealedBytes === undefined
      ? undefined
      : aead.open(key, sealedBytes.subarray(0, NONCE_SIZE), sealedBytes.subarray(NONCE_SIZE), context);
  };
  const unwrap = (envelope: Envelope, vaultKey: VaultKey): Promise<Uint8Array | undefined> =>
    envelope.key === vaultKey.id
      ? openBox(vaultKey.key, envelope.wrapped, wrapName(envelope, vaultKey))
      : Promise.resolve(undefined);

  return {
    async seal(context, value, vaultKey) {
      const { house, name, version } = context;
      const dataKey = random(KEY_SIZE);
      return {
        house,
        name,
        version,
        key: vaultKey.id,
        wrapped: await seal(vaultKey.key, dataKey, wrapName(context, vaultKey)),
        sealed: await seal(dataKey, new TextEncoder().encode(value), sealName(context)),
      };
    },

    async open(envelope, vaultKey) {
      const dataKey = await unwrap(envelope, vaultKey);
      const value = dataKey === undefined ? undefined : await openBox(dataKey, envelope.sealed, sealName(envelope));
      return value === undefined ? undefined : new TextDecoder().decode(value);
    },

    async rewrap(envelope, from, to) {
      const dataKey = await unwrap(envelope, from);
      if (dataKey === undefined) return undefined;
      return { ...envelope, key: to.id, wrapped: await seal(to.key, dataKey, wrapName(envelope, to)) };
    },

    prove: ({ id, key }) => seal(key, PROOF, proofName(id)),
    isProof: async (proof, { id, key }) => (await openBox(key, proof, proofName(id))) !== undefined,
  };
};

/** Returns the size of the value in bytes, without nonce, tag and base64 padding. */
export const valueSizeBytes = ({ sealed }: Pick<Envelope, "sealed">): number =>
  (sealed.length * 3) / 4 - (/=*$/.exec(sealed)?.[0].length ?? 0) - NONCE_SIZE - TAG_SIZE;

const TAG_SIZE = 16;

type SecretId = Pick<Envelope, "house" | "name" | "version">;

/**
 * Returns the authenticated name of an envelope, so that an envelope in the place of another does
 * not open.
 */
const sealName = ({ house, name, version }: SecretId): string => JSON.stringify(["value", house, name, version]);
const wrapName = ({ house, name, version }: SecretId, { id }: VaultKey): string =>
  JSON.stringify(["data key", id, house, name, version]);
const proofName = (id: string): string => JSON.stringify(["proof", id]);

/** Decodes base64. Returns undefined for any other text. */
const readBase64 = (text: string): Uint8Array | undefined => {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
};
