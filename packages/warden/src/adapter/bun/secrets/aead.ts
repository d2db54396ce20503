/** AES-256-GCM by the platform. */
import type { Aead } from "../../../policy/secrets/aead.ts";

const encoder = new TextEncoder();

export const createBunAead = (): Aead => ({
  async seal(key, nonce, plain, context) {
    const ciphertext = await crypto.subtle.encrypt(gcm(nonce, context), await importKey(key, "encrypt"), copy(plain));
    return new Uint8Array(ciphertext);
  },
  async open(key, nonce, ciphertext, context) {
    const cryptoKey = await importKey(key, "decrypt");
    try {
      return new Uint8Array(await crypto.subtle.decrypt(gcm(nonce, context), cryptoKey, copy(ciphertext)));
    } catch (error) {
      // The platform does not say which of the key, nonce, context and ciphertext is wrong.
      if (error instanceof Error && error.name === "OperationError") return undefined;
      throw error;
    }
  },
});

const importKey = (key: Uint8Array, use: "encrypt" | "decrypt"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", copy(key), "AES-GCM", false, [use]);

const gcm = (nonce: Uint8Array, context: string) => ({
  name: "AES-GCM",
  iv: copy(nonce),
  additionalData: encoder.encode(context),
  tagLength: 128,
});

/** The platform accepts only unshared memory. */
const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
