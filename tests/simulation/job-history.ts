/**
 * What jobs files said and what walls showed, from instant to instant of a run. A house may take up what a file says a little later: from
 * when on it surely has is told by its own answers, so that of every slot it is known whether it may, and whether it must, have a fate.
 */
import { type JobTerms, readJobsFile } from "./job-terms.ts";
import type { Timeline } from "./timeline.ts";

/** A job as its file had it from one change to the next. */
export interface Stretch {
  /** Nothing: there was no such job, or nobody could read it. */
  readonly terms: JobTerms | undefined;
  /** When the file began to say so, and whether somebody wrote it behind the house's back. */
  readonly from: number;
  readonly isByHand: boolean;
  /** By when the house surely knew. `Infinity`: nobody can tell. */
  known: number;
}

export interface JobHistory {
  /** A file is as this text says from now on. */
  saved(agent: string, text: string, how: { readonly isByHand: boolean }): void;
  /** The wall clock was set: it shows so much more from now on. */
  clockSet(skewMs: number): void;
  /** What this agent's file said by that instant is known to the house by now. */
  known(agent: string, asOf: number): void;
  /** One job of one agent, oldest stretch first. */
  stretches(agent: string, job: string): readonly Stretch[];
  /** What walls showed at the earliest and at the latest, from one instant to another. */
  earliest(from: number, to: number): number;
  latest(from: number, to: number): number;
  wall(): number;
  /** Each job that ever was: its agent, a space, its name. */
  jobs(): readonly string[];
}

export const createJobHistory = (timeline: Timeline, epoch: number): JobHistory => {
  const byJob = new Map<string, Stretch[]>();
  const walls: { readonly at: number; readonly skewMs: number }[] = [{ at: 0, skewMs: 0 }];

  /** What was shown at both ends of each piece of time between two settings. */
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
