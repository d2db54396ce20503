/** The tables that tell a restored or copied database from the one that its readers know. */

export interface RestoreTables {
  /** One row: the random id that the database got at its first start. */
  epochs: { readonly epoch: string; readonly at: number };
  /** One row: which start of the house wrote this file last. A log of SQLite that belongs to another one is known by it. */
  generations: { readonly generation: string };
  /** Signs that the home was restored or copied, one row each, and what the owner decided. */
  restore_findings: {
    /** Derived from what was found, so that the same sign is one row. */
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
