/** All that a run knows of its jobs beside the house: their files, the walls, their slots as they were stored, and who asked for what. */
import type { Complain } from "./far-side.ts";
import { createJobHistory, type JobHistory } from "./job-history.ts";
import { createJobWatch, type JobWatch } from "./job-watch.ts";
import type { Timeline } from "./timeline.ts";

export interface Jobs extends JobWatch {
  readonly history: JobHistory;
  /** Which activations the model was asked for. */
  readonly heard: Set<string>;
  /** How often people asked for a run by hand, by agent and name, and how often the house has said that there was one. */
  readonly runs: Map<string, { asked: number; answered: number }>;
}

export const createJobs = (timeline: Timeline, epoch: number, complain: Complain): Jobs => ({
  ...createJobWatch(timeline, complain),
  history: createJobHistory(timeline, epoch),
  heard: new Set(),
  runs: new Map(),
});
