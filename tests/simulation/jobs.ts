/**
 * Records the jobs of a run outside the house: their files, the wall clock, stored slots and
 * requests.
 */
import type { Complain } from "./far-side.ts";
import { createJobHistory, type JobHistory } from "./job-history.ts";
import { createJobWatch, type JobWatch } from "./job-watch.ts";
import type { Timeline } from "./timeline.ts";

export interface Jobs extends JobWatch {
  readonly history: JobHistory;
  /** Activations that reached the model. */
  readonly heard: Set<string>;
  /** Requests to run a job by hand and their successful responses, by agent and name. */
  readonly runs: Map<string, { asked: number; answered: number }>;
}

export const createJobs = (timeline: Timeline, epoch: number, complain: Complain): Jobs => {
  const history = createJobHistory(timeline, epoch);
  return {
    ...createJobWatch({ timeline, wall: history.wall, complain }),
    history,
    heard: new Set(),
    runs: new Map(),
  };
};
