/**
 * Loads activation runs at the first activation, or when the started house is idle. A start does
 * not need them.
 */
import type { FindUnfinished } from "../../agents/index.ts";
import { lazy } from "@hearth/protocol";
import type { ActivationRun, ActivationRunOptions } from "./activation-run.ts";
import type { UnfinishedOptions } from "../recovery/unfinished-turns.ts";

export type { ActivationRunOptions } from "./activation-run.ts";

export interface LazyActivationRun {
  readonly attempt: ActivationRun;
  /** Loads the modules, so that the first activation does not wait for them. Never rejects. */
  warm(): Promise<void>;
}

export const createLazyActivationRun = (options: ActivationRunOptions): LazyActivationRun => {
  const load = lazy(async () => (await import("./activation-run.ts")).createActivationRun(options));
  return {
    attempt: async (...run) => (await load())(...run),
    async warm() {
      // The first activation tries again and reports the failure.
      await load().catch(() => {});
    },
  };
};

/** Descriptions of failed and stopped turns. The first turn loads the module. */
export const createLazyUnfinished = (options: UnfinishedOptions): FindUnfinished => {
  const load = lazy(async () => (await import("../recovery/unfinished-turns.ts")).createUnfinishedTurns(options));
  return async (...turn) => (await load())(...turn);
};
