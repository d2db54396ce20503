/**
 * The history of the jobs files and the wall clock of a run. A house reads a changed file some time
 * later; its responses prove by when it has. So the checks know which slots may, and which must,
 * have a fate.
 */
import { type JobTerms, readJobsFile } from "./job-terms.ts";
import type { Timeline } from "./timeline.ts";

/** A job between two changes of its file. */
export interface Stretch {
  /** `undefined`: the job did not exist or was invalid. */
  readonly terms: JobTerms | undefined;
  /** When the file changed, and whether it was edited outside the house. */
  readonly from: number;
  readonly isByHand: boolean;
  /** By when the house had certainly read the file. `Infinity`: not known. */
  known: number;
}

export interface JobHistory {
  /** Records that an agent's jobs file has this text from now on. */
  saved(agent: string, text: string, how: { readonly isByHand: boolean }): void;
  /** Records that the wall clock is ahead of virtual time by this much from now on. */
  clockSet(skewMs: number): void;
  /** Records that the house has read this agent's file as it was at `asOf`. */
  known(agent: string, asOf: number): void;
  /** The stretches of one job, oldest first. */
  stretches(agent: string, job: string): readonly Stretch[];
  /** The earliest and the latest wall time between two instants. */
  earliest(from: number, to: number): number;
  latest(from: number, to: number): number;
  wall(): number;
  /** Every job that ever existed, as agent, space, name. */
  jobs(): readonly string[];
}

export const createJobHistory = (timeline: Timeline, epoch: number): JobHistory => {
  const byJob = new Map<string, Stretch[]>();
  const walls: { readonly at: number; readonly skewMs: number }[] = [{ at: 0, skewMs: 0 }];

  /** The wall times at both ends of each period between two settings of the clock. */
  const shown = (from: number, to: number): number[] =>
    walls.flatMap(({ at, skewMs }, index) => {
      const [start, end] = [Math.max(from, at), Math.min(to, walls[index + 1]?.at ?? Infinity)];
      return start > end ? [] : [epoch + start + skewMs, epoch + end + skewMs];
    });

  return {
    saved(agent, text, { isByHand }) {
      const now = timeline.now();
      const jobs = readJobsFile(text);
      for (const job of new Set([
        ...jobs.keys(),
        ...[...byJob.keys()].flatMap((key) => (key.startsWith(`${agent} `) ? [key.slice(agent.length + 1)] : [])),
      ])) {
        const own = byJob.get(`${agent} ${job}`) ?? [{ terms: undefined, from: 0, isByHand: false, known: 0 }];
        byJob.set(`${agent} ${job}`, own);
        const terms = jobs.get(job);
        if (!Bun.deepEquals(own.at(-1)?.terms, terms)) own.push({ terms, from: now, isByHand, known: Infinity });
      }
    },
    clockSet: (skewMs) => void walls.push({ at: timeline.now(), skewMs }),
    known(agent, asOf) {
      for (const [key, own] of byJob)
        for (const stretch of key.startsWith(`${agent} `) ? own : [])
          if (stretch.from <= asOf) stretch.known = Math.min(stretch.known, timeline.now());
    },
    stretches: (agent, job) => byJob.get(`${agent} ${job}`) ?? [],
    earliest: (from, to) => Math.min(...shown(from, Math.min(to, timeline.now()))),
    latest: (from, to) => Math.max(...shown(from, Math.min(to, timeline.now()))),
    wall: () => epoch + timeline.now() + (walls.at(-1)?.skewMs ?? 0),
    jobs: () => [...byJob.keys()],
  };
};
