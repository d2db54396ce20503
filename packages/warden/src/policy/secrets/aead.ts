/**
 * Authenticated encryption: a sealed box can be neither read nor changed without its key. The
 * platform's is AES-256-GCM.
 */

/** Bytes of a key and of a nonce. */
export const KEY_SIZE = 32;
export const NONCE_SIZE = 12;

/**
 * Contract, checked by `aeadConformance`:
 * - `open` returns what was sealed for the same key, nonce and `about`; undefined for any other, or
 *   for a changed box
 * - a box reveals only the length of its content
 *
 * The caller chooses the nonce and never uses one twice with the same key.
 */
export interface Aead {
  seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, about: string): Promise<Uint8Array>;
  open(key: Uint8Array, nonce: Uint8Array, box: Uint8Array, about: string): Promise<Uint8Array | undefined>;
}
