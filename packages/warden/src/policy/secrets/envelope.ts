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
  seal(about: Pick<Envelope, "house" | "name" | "version">, value: string, by: VaultKey): Promise<Envelope>;
  /**
   * Returns the value. Returns undefined if another key sealed the envelope, or if it was changed
   * or belongs to another secret.
   */
  open(envelope: Envelope, by: VaultKey): Promise<string | undefined>;
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
  const seal = async (key: Uint8Array, plain: Uint8Array, about: string): Promise<string> => {
    const nonce = random(NONCE_SIZE);
    const box = await aead.seal(key, nonce, plain, about);
    const both = new Uint8Array(NONCE_SIZE + box.length);
    both.set(nonce);
    both.set(box, NONCE_SIZE);
    return toBase64(both);
  };
  const open = async (key: Uint8Array, text: string, about: string): Promise<Uint8Array | undefined> => {
    const both = readBase64(text);
    return both === undefined
      ? undefined
      : aead.open(key, both.subarray(0, NONCE_SIZE), both.subarray(NONCE_SIZE), about);
  };
  const unwrap = (envelope: Envelope, by: VaultKey): Promise<Uint8Array | undefined> =>
    envelope.key === by.id ? open(by.key, envelope.wrapped, wrapName(envelope, by)) : Promise.resolve(undefined);

  return {
    async seal(about, value, by) {
      const { house, name, version } = about;
      const dataKey = random(KEY_SIZE);
      return {
        house,
        name,
        version,
        key: by.id,
        wrapped: await seal(by.key, dataKey, wrapName(about, by)),
        sealed: await seal(dataKey, new TextEncoder().encode(value), sealName(about)),
      };
    },

    async open(envelope, by) {
      const dataKey = await unwrap(envelope, by);
      const value = dataKey === undefined ? undefined : await open(dataKey, envelope.sealed, sealName(envelope));
      return value === undefined ? undefined : new TextDecoder().decode(value);
    },

    async rewrap(envelope, from, to) {
      const dataKey = await unwrap(envelope, from);
      if (dataKey === undefined) return undefined;
      return { ...envelope, key: to.id, wrapped: await seal(to.key, dataKey, wrapName(envelope, to)) };
    },

    prove: ({ id, key }) => seal(key, PROOF, proofName(id)),
    isProof: async (proof, { id, key }) => (await open(key, proof, proofName(id))) !== undefined,
  };
};

/** Returns the size of the value in bytes, without nonce, tag and base64 padding. */
export const sizeOf = ({ sealed }: Pick<Envelope, "sealed">): number =>
  (sealed.length * 3) / 4 - (/=*$/.exec(sealed)?.[0].length ?? 0) - NONCE_SIZE - TAG_SIZE;

const TAG_SIZE = 16;

type About = Pick<Envelope, "house" | "name" | "version">;

/**
 * Returns the authenticated name of an envelope, so that an envelope in the place of another does
 * not open.
 */
const sealName = ({ house, name, version }: About): string => JSON.stringify(["value", house, name, version]);
const wrapName = ({ house, name, version }: About, { id }: VaultKey): string =>
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
