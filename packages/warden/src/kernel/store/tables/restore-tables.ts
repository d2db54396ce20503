/** The tables that distinguish a restored or copied database from the one that clients know. */

export interface RestoreTables {
  /** One row: the random id that the database got at its first start. */
  epochs: { readonly epoch: string; readonly at: number };
  /**
   * One row: the start of the house that last wrote this file. It detects a SQLite log of another
   * file.
   */
  generations: { readonly generation: string };
  /** Signs that the home was restored or copied, one row each, with the owner's decision. */
  restore_findings: {
    /** Derived from the sign, so that each is one row. */
    readonly id: string;
    readonly house: string | null;
    /** `behind`, `no-anchor` or `missing-blobs`. */
    readonly kind: string;
    /** For people. */
    readonly detail: string;
    readonly found_at: number;
    /** `continue` or `discard`. Null: the house is on hold. */
    readonly decision: string | null;
    readonly by: string | null;
    readonly decided_at: number | null;
  };
}
