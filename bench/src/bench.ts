/** The types of benches and their results. */
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
  | "messages"
  | "lines"
  | "patterns"
  | "pairs"
  | "names"
  | "×";

export interface Figure {
  /** Name of the measured quantity, for the table. */
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  readonly target?: Target;
  /** Number of measurements behind the value. */
  readonly samples: number;
  readonly note?: string;
  /** The result in the bench's JSON format. With --json and only this bench, it replaces the figures. */
  readonly record?: object;
}

/** A figure that cannot be measured on this machine, with the reason. */
export interface Skipped {
  readonly what: string;
  readonly skipped: string;
}

export type Finding = Figure | Skipped;

/** Input from the command line. */
export interface BenchInput {
  /** Absolute path of the input file or folder. */
  readonly data?: string;
  /** The number of kills of `storm`, and their seed. */
  readonly kills?: number;
  readonly seed?: number;
  /** The number of days that `growth` simulates. */
  readonly days?: number;
  /** Seconds that `load` waits after the last load. */
  readonly restSeconds?: number;
}

export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  /** Runs only when it is named, because it takes minutes. */
  readonly isLong?: true;
  run(site: Site, input: BenchInput): Promise<readonly Finding[]>;
}

export const isSkipped = (finding: Finding): finding is Skipped => "skipped" in finding;

export const isMet = ({ value, target }: Figure): boolean =>
  target === undefined || ("atMost" in target ? value <= target.atMost : value >= target.atLeast);
