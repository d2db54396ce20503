/**
 * The interface of authenticated encryption: without the key, a ciphertext can be neither read nor
 * changed. The platform's implementation is AES-256-GCM.
 */

/** Sizes of a key and of a nonce, in bytes. */
export const KEY_SIZE = 32;
export const NONCE_SIZE = 12;

/**
 * Contract, checked by `aeadConformance`:
 * - `open` returns what was sealed for the same key, nonce and `context`; undefined for any other, or
 *   for a changed ciphertext
 * - a ciphertext reveals only the length of its content
 *
 * The caller chooses the nonce and never uses one twice with the same key.
 */
export interface Aead {
  seal(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, context: string): Promise<Uint8Array>;
  open(key: Uint8Array, nonce: Uint8Array, ciphertext: Uint8Array, context: string): Promise<Uint8Array | undefined>;
}
