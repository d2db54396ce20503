/** Finds out whether any test fails on a mutant. */
import type { Copy, TestOutcome } from "./copy.ts";
import { mutate, type Site } from "./sites.ts";

/** A failed test, or tests that hang only with the mutant. */
export type How = "test" | "hang";

export type Fate =
  | { readonly kind: "killed"; readonly how: How; readonly by: string; readonly title: string }
  /** `left`: the number of test files that load the mutant and were not run. */
  | { readonly kind: "survived"; readonly ran: readonly string[]; readonly left: number };

type Tests = Pick<Copy, "put" | "test">;

export interface Baseline {
  /** Runs the files without a mutant, unless their durations are known. Returns those that pass. */
  readonly passing: (copy: Tests, files: readonly string[]) => Promise<readonly string[]>;
  /** Runs the files again. Returns how long they took, if they passed within the limit. */
  readonly repeat: (copy: Tests, files: readonly string[], limitMs: number) => Promise<number | undefined>;
  readonly durationOf: (files: readonly string[]) => number;
  /** Files that fail without a mutant. They say nothing about one. */
  readonly failing: () => readonly string[];
}

/** No test file takes longer, also on a busy machine. */
const LONGEST_MS = 5 * 60_000;

/** Durations of the test files without a mutant, measured in this run on this machine. */
export const createBaseline = (): Baseline => {
  const durations = new Map<string, number>();
  const failing = new Set<string>();
  const durationOf = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + (durations.get(file) ?? 0), 0);
  const keep = (outcome: TestOutcome): void => {
    if (outcome.kind !== "passed") return;
    for (const [file, ms] of outcome.durations) durations.set(file, Math.max(ms, durations.get(file) ?? 0));
  };
  return {
    async passing(copy, files) {
      for (;;) {
        const unknown = files.filter((file) => !durations.has(file) && !failing.has(file));
        if (unknown.length === 0) return files.filter((file) => !failing.has(file));
        const outcome = await copy.test(unknown, LONGEST_MS);
        keep(outcome);
        if (outcome.kind === "passed") {
          // Files without tests have no duration.
          for (const file of unknown) if (!durations.has(file)) durations.set(file, 0);
          continue;
        }
        const suspects = unknown.filter((file) => file === outcome.file);
        for (const file of suspects.length === 0 ? unknown : suspects) failing.add(file);
      }
    },
    async repeat(copy, files, limitMs) {
      const outcome = await copy.test(files, limitMs);
      keep(outcome);
      return outcome.kind === "passed" ? durationOf(files) : undefined;
    },
    durationOf,
    failing: () => [...failing].toSorted(),
  };
};

export interface Judge {
  readonly copy: Tests;
  readonly baseline: Baseline;
  /** Returns the original text of a file. */
  readonly read: (path: string) => Promise<string>;
  readonly testsOf: (path: string) => readonly string[];
  /** Runs no further tests of a mutant if those that ran take this long without it. */
  readonly mostMs: number;
}

const FIRST_BATCH = 3;
const LARGEST_BATCH = 12;
/** Files that take a larger share of a mutant's time are slow. */
const SLOW_SHARE = 1 / 4;
/** Time to start the runner. */
const START_MS = 5_000;
/** The limit of tests with a mutant, as a multiple of their time without it. */
const LIMIT_FACTOR = 5;
/** They hang if they then run without it this many times faster than their limit. */
const HANG_FACTOR = 3;
/** On a machine that became slower, tests may reach their limit without hanging. */
const MOST_TRIES = 3;

export const createJudge = ({ copy, baseline, read, testsOf, mostMs }: Judge): ((site: Site) => Promise<Fate>) => {
  const limitOf = (files: readonly string[]): number => START_MS + LIMIT_FACTOR * baseline.durationOf(files);

  const testMutant = async (
    site: Site,
    files: readonly string[],
  ): Promise<{ readonly outcome: TestOutcome; readonly limitMs: number }> => {
    const limitMs = limitOf(files);
    const restore = await copy.put(site.path, mutate(await read(site.path), site));
    try {
      return { outcome: await copy.test(files, limitMs), limitMs };
    } finally {
      await restore();
    }
  };

  /** Runs test files that pass without the mutant. `unclear`: some of them are too slow to judge. */
  const tested = async (site: Site, files: readonly string[]): Promise<Fate | "passed" | "unclear"> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { outcome, limitMs } = await testMutant(site, files);
      if (outcome.kind === "passed") return "passed";
      const suspects = outcome.file === undefined ? files : [outcome.file];
      const by = suspects.join(" ");
      if (outcome.kind === "failed") return { kind: "killed", how: "test", by, title: outcome.title };
      const usualMs = await baseline.repeat(copy, suspects, limitMs);
      if (usualMs !== undefined && START_MS + HANG_FACTOR * usualMs <= limitMs)
        return { kind: "killed", how: "hang", by, title: `still running after ${Math.round(limitMs / 1000)} s` };
    }
    return "unclear";
  };

  /**
   * Runs test files in batches, nearest first, until one kills the mutant or the time is over. Slow
   * files after the first batch wait until half of the time is used, so that one of them does not
   * displace many others.
   */
  return async (site) => {
    const left = [...testsOf(site.path)];
    const slow: string[] = [];
    const ran: string[] = [];
    let unclear = 0;
    const isSlow = (file: string): boolean => baseline.durationOf([file]) > SLOW_SHARE * mostMs;
    /** The next files, of which some may be slow and wait. */
    const takeBatch = async (size: number): Promise<readonly string[]> => {
      const isHalfOver = baseline.durationOf(ran) >= mostMs / 2;
      if (left.length === 0 || isHalfOver) {
        const waiting = slow.shift();
        if (waiting !== undefined) return [waiting];
      }
      const batch = await baseline.passing(copy, left.splice(0, size));
      if (size === FIRST_BATCH) return batch;
      slow.push(...batch.filter(isSlow));
      return batch.filter((file) => !isSlow(file));
    };
    for (let size = FIRST_BATCH; left.length + slow.length > 0; size = Math.min(2 * size, LARGEST_BATCH)) {
      if (baseline.durationOf(ran) >= mostMs) break;
      const batch = await takeBatch(size);
      const fate = batch.length === 0 ? "passed" : await tested(site, batch);
      if (typeof fate === "object") return fate;
      if (fate === "passed") ran.push(...batch);
      else unclear += batch.length;
    }
    return { kind: "survived", ran, left: left.length + slow.length + unclear };
  };
};
