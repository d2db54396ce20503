/** What is kept of a password in place of it: slow to make on purpose, and salted. The real one is the platform's argon2id. */

/**
 * Contract, checked by `passwordHashConformance`:
 * - `verify` holds for the text that was hashed, to the code unit, and for no other
 * - two hashes of one text differ
 * - `decoy` is a hash that no text has
 * - neither holds up whoever else has something to do
 */
export interface PasswordHash {
  /** Whom nothing is known of is checked against it: as much work as any other, and never right. */
  readonly decoy: string;
  /** The text is never empty. */
  hash(text: string): Promise<string>;
  verify(text: string, hash: string): Promise<boolean>;
}
