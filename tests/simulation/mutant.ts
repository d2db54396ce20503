/**
 * A mutant: a plausible bug, as changes of the text of one or two files, that the simulation must
 * detect.
 */

import type { Family } from "./families.ts";

export interface Edit {
  /** Below packages/. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Mutant {
  readonly name: string;
  /**
   * The rule of the engine's protocol that the mutant breaks, by number, or an area: `stop` (orders
   * to stop), `rest` (wake-ups and chain limits), `cells` (limits of inmates), `approval`,
   * `jobs` (slots), `compaction`, `faults` (bugs that only a fault family shows).
   */
  readonly rule:
    | 0
    | 1
    | 2
    | 3
    | 4
    | 5
    | 6
    | 7
    | 8
    | 9
    | "stop"
    | "rest"
    | "cells"
    | "approval"
    | "jobs"
    | "compaction"
    | "faults";
  readonly edits: readonly Edit[];
  /** Fault families that the houses need for the bug to show. Only seeds are run then. */
  readonly families?: string;
  /**
   * The family without which no house detects the bug: `npm run mutants -- --families` checks it.
   * Each family has one such mutant.
   */
  readonly only?: Family;
  /** The check to run first, because it is likely to fail. */
  readonly first?: "seeds";
  /** A test file, below packages/, for a bug that the simulation cannot reach. */
  readonly tests?: string;
}
