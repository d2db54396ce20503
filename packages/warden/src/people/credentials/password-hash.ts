/** Password hashing: slow and salted. The platform's is argon2id. */

/**
 * Contract, checked by `passwordHashConformance`:
 * - `verify` is true for exactly the hashed text, and for no other
 * - two hashes of one text differ
 * - `decoy` is a hash that no text matches
 * - neither function blocks other tasks
 */
export interface PasswordHash {
  /** Used for unknown people: takes as much work as a real hash, and never matches. */
  readonly decoy: string;
  /** The text is never empty. */
  hash(text: string): Promise<string>;
  verify(text: string, hash: string): Promise<boolean>;
}
