/** A bug that somebody could have written: a change of the text of one or two files, which has to be noticed. */

export interface Edit {
  /** Below packages/. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Mutant {
  readonly name: string;
  /** The rule of the protocol that it breaks; `stop` for the word of people that ends everything, `rest` for who wakes and how it ends, `cells` for what an inmate may not, `word` for what takes a person's word, `jobs` for slots, `compaction` for talks that become too long, `faults` for what only a fault family shows. */
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
    | "word"
    | "jobs"
    | "compaction"
    | "faults";
  readonly edits: readonly Edit[];
  /** Fault families of the houses that are run: without one of them nothing notices. Only seeds are run then. */
  readonly families?: string;
  /** What is run first, because it is likely to notice. */
  readonly first?: "seeds";
  /** Tests, below packages/, that notice what no run of the simulation comes to. */
  readonly tests?: string;
}
