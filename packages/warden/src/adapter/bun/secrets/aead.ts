/** AES-256-GCM by the platform. */
import type { Aead } from "../../../policy/secrets/aead.ts";

const encoder = new TextEncoder();

export const createBunAead = (): Aead => ({
  async seal(key, nonce, plain, about) {
    const box = await crypto.subtle.encrypt(gcm(nonce, about), await importKey(key, "encrypt"), copy(plain));
    return new Uint8Array(box);
  },
  async open(key, nonce, box, about) {
    const imported = await importKey(key, "decrypt");
    try {
      return new Uint8Array(await crypto.subtle.decrypt(gcm(nonce, about), imported, copy(box)));
    } catch (error) {
      // The platform reports nothing else: the key, the nonce, the name or the ciphertext is wrong.
      if (error instanceof Error && error.name === "OperationError") return undefined;
      throw error;
    }
  },
});

const importKey = (key: Uint8Array, use: "encrypt" | "decrypt"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", copy(key), "AES-GCM", false, [use]);

const gcm = (nonce: Uint8Array, about: string) => ({
  name: "AES-GCM",
  iv: copy(nonce),
  additionalData: encoder.encode(about),
  tagLength: 128,
});

/** The platform accepts only unshared memory. */
const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
