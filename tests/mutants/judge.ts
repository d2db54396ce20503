/** Finds out whether any test fails on a mutant. */
import type { Copy, TestOutcome } from "./copy.ts";
import { mutate, type Site } from "./sites.ts";

/** A failed test, the types and lint of `npm run check`, or tests that hang only with the mutant. */
export type How = "test" | "check" | "hang";

export type Fate =
  | { readonly kind: "killed"; readonly how: How; readonly by: string; readonly title: string }
  /**
   * `isWhole`: every test file that imports the mutant has passed. Otherwise the time limit ended
   * the run.
   */
  | { readonly kind: "survived"; readonly ran: readonly string[]; readonly isWhole: boolean };

export interface Judge {
  readonly copy: Pick<Copy, "put" | "test" | "check">;
  /** Returns the original text of a file. */
  readonly read: (path: string) => Promise<string>;
  readonly testsOf: (path: string) => readonly string[];
  /** Time limit per mutant. */
  readonly limitMs: number;
  readonly now: () => number;
}

/** Test files that run before the types and the lint are checked, which takes longer than they do. */
const NEAREST = 3;
const LARGEST_BATCH = 12;
/** A stopped run was stuck if the same files pass this many times faster without the mutant. */
const STUCK_FACTOR = 4;

export const createJudge = ({ copy, read, testsOf, limitMs, now }: Judge): ((site: Site) => Promise<Fate>) => {
  const sound = new Map<string, TestOutcome>();
  /** Runs the files without a mutant. A test that fails then says nothing about a mutant. */
  const withoutMutant = async (files: readonly string[], mostMs: number): Promise<TestOutcome> => {
    const key = files.join(" ");
    const outcome = sound.get(key) ?? (await copy.test(files, mostMs));
    // A run that was stopped may pass with more time.
    if (outcome.kind !== "stopped") sound.set(key, outcome);
    return outcome;
  };

  const withMutant = async <Result>(site: Site, mutant: string, work: () => Promise<Result>): Promise<Result> => {
    const restore = await copy.put(site.path, mutant);
    try {
      return await work();
    } finally {
      await restore();
    }
  };

  let isSound: Promise<boolean> | undefined;
  /** The first error of types or lint that the mutant causes: `npm run check` would refuse it. */
  const complaintOf = async (site: Site, mutant: string): Promise<string | undefined> => {
    isSound ??= copy.check(site.path).then((complaint) => complaint === undefined);
    return (await isSound) ? withMutant(site, mutant, () => copy.check(site.path)) : undefined;
  };

  /** Runs test files in batches, nearest first, until one kills the mutant or the time is over. */
  const tested = async (site: Site, mutant: string, files: readonly string[], mostMs: number): Promise<Fate> => {
    const left = [...files];
    const ran: string[] = [];
    const deadline = now() + mostMs;
    for (let size = NEAREST; left.length > 0; size = Math.min(2 * size, LARGEST_BATCH)) {
      const batch = left.splice(0, size);
      while (batch.length > 0) {
        const restMs = deadline - now();
        if (restMs <= 0) return { kind: "survived", ran, isWhole: false };
        const outcome = await withMutant(site, mutant, () => copy.test(batch, restMs));
        if (outcome.kind === "passed") {
          ran.push(...batch.splice(0));
          continue;
        }
        const suspects = outcome.file === undefined ? [...batch] : [outcome.file];
        const by = suspects.join(" ");
        if (outcome.kind === "stopped") {
          const usual = await withoutMutant(suspects, outcome.durationMs / STUCK_FACTOR);
          return usual.kind === "passed"
            ? {
                kind: "killed",
                how: "hang",
                by,
                title: `still running after ${Math.round(outcome.durationMs / 1000)} s`,
              }
            : { kind: "survived", ran, isWhole: false };
        }
        const usual = await withoutMutant(suspects, limitMs);
        if (usual.kind === "passed") return { kind: "killed", how: "test", by, title: outcome.title };
        // The suspects fail without the mutant too.
        for (const suspect of suspects) batch.splice(batch.indexOf(suspect), 1);
      }
    }
    return { kind: "survived", ran, isWhole: true };
  };

  return async (site) => {
    const mutant = mutate(await read(site.path), site);
    const files = testsOf(site.path);
    const began = now();
    const near = await tested(site, mutant, files.slice(0, NEAREST), limitMs);
    if (near.kind === "killed") return near;
    const restMs = limitMs - (now() - began);
    const complaint = await complaintOf(site, mutant);
    if (complaint !== undefined) return { kind: "killed", how: "check", by: "npm run check", title: complaint };
    if (!near.isWhole) return near;
    const far = await tested(site, mutant, files.slice(NEAREST), restMs);
    return far.kind === "killed" ? far : { ...far, ran: [...near.ran, ...far.ran] };
  };
};
