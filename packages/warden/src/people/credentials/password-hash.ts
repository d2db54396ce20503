/**
 * The interface of password hashing, slow and salted. The platform's implementation is argon2id.
 */

/**
 * Contract, checked by `passwordHashConformance`:
 * - `verify` is true for exactly the hashed text, and for no other
 * - two hashes of one text differ
 * - `decoy` is a hash that no text matches
 * - neither function blocks other tasks
 */
export interface PasswordHash {
  /**
   * A hash for unknown people. Its verification takes as much work as that of a real hash, and
   * never succeeds.
   */
  readonly decoy: string;
  /** Returns a hash of the text, which is never empty. */
  hash(text: string): Promise<string>;
  verify(text: string, hash: string): Promise<boolean>;
}
