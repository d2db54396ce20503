/** What a bench is: a name that a person types, and a run that gives figures. */
import type { Site } from "./site.ts";

export type Target = { readonly atMost: number } | { readonly atLeast: number };

export type Unit =
  | "µs"
  | "ms"
  | "s"
  | "kB"
  | "KiB"
  | "MiB"
  | "turns/s"
  | "commits/s"
  | "events/s"
  | "events"
  | "readers"
  | "tokens"
  | "chunks/s"
  | "texts/s"
  | "processes"
  | "turns"
  | "%"
  | "calls"
  | "messages";

export interface Figure {
  /** What was measured, in words for the table. */
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  readonly target?: Target;
  /** How many measurements the value comes from. */
  readonly samples: number;
  readonly note?: string;
  /** The bench as other programs want it: printed in place of the figures when it is asked for alone, as JSON. */
  readonly record?: object;
}

/** A figure that this machine cannot give, and why. */
export interface Skipped {
  readonly what: string;
  readonly skipped: string;
}

export type Finding = Figure | Skipped;

/** What a person gave along. */
export interface Given {
  /** Absolute path of the file or folder that a bench reads. */
  readonly data?: string;
  /** How often `storm` kills, and the seed of its kills. */
  readonly kills?: number;
  readonly seed?: number;
  /** Seconds that `load` waits after the last load. */
  readonly restSeconds?: number;
}

export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  /** It runs only when it is named: it takes minutes. */
  readonly isLong?: true;
  run(site: Site, given: Given): Promise<readonly Finding[]>;
}

export const isSkipped = (finding: Finding): finding is Skipped => "skipped" in finding;

export const isMet = ({ value, target }: Figure): boolean =>
  target === undefined || ("atMost" in target ? value <= target.atMost : value >= target.atLeast);
