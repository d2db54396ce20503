/** Sealed boxes: what is in one can be neither read nor changed without its key. The real one is the platform's AES-256-GCM. */

/** Bytes of a key, and of a nonce. */
export const KEY_SIZE = 32;
export const NONCE_SIZE = 12;

/**
 * Contract, checked by `aeadConformance`:
 * - `open` gives back what was sealed, for the same key, nonce and `about`, and nothing for any other, or for a box that was changed
 * - a box shows nothing of what is in it but its length
 *
 * The caller brings the nonce and never uses one twice with the same key.
 */
export interface Aead {
  seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, about: string): Promise<Uint8Array>;
  open(key: Uint8Array, nonce: Uint8Array, box: Uint8Array, about: string): Promise<Uint8Array | undefined>;
}
