/** Attempts, read when the first activation runs or the house that has started is idle: a start does without. */
import type { FindUnfinished } from "../../agents/index.ts";
import { lazy } from "@hearth/protocol";
import type { ActivationRun, ActivationRunOptions } from "./activation-run.ts";
import type { UnfinishedOptions } from "../recovery/unfinished-turns.ts";

export type { ActivationRunOptions } from "./activation-run.ts";

export interface LazyActivationRun {
  readonly attempt: ActivationRun;
  /** Reads what an attempt needs, so that the first activation need not wait for it. Never rejects. */
  warm(): Promise<void>;
}

export const createLazyActivationRun = (options: ActivationRunOptions): LazyActivationRun => {
  const load = lazy(async () => (await import("./activation-run.ts")).createActivationRun(options));
  return {
    attempt: async (...run) => (await load())(...run),
    async warm() {
      // Whoever asks first tries again, and is told.
      await load().catch(() => {});
    },
  };
};

/** What is told of turns that failed or were stopped, read by the first turn. */
export const createLateUnfinished = (options: UnfinishedOptions): FindUnfinished => {
  const load = lazy(async () => (await import("../recovery/unfinished-turns.ts")).createUnfinishedTurns(options));
  return async (...turn) => (await load())(...turn);
};
