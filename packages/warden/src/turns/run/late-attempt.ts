/** Attempts, read when the first activation runs or the house that has started is idle: a start does without. */
import { createLate } from "@hearth/protocol";
import type { FindUnfinished } from "../../agents/context/late-parts.ts";
import type { Attempt, AttemptOptions } from "./attempt.ts";
import type { UnfinishedOptions } from "../recovery/unfinished-turns.ts";

export type { AttemptOptions } from "./attempt.ts";

export interface LateAttempt {
  readonly attempt: Attempt;
  /** Reads what an attempt needs, so that the first activation need not wait for it. Never rejects. */
  warm(): Promise<void>;
}

export const createLateAttempt = (options: AttemptOptions): LateAttempt => {
  const load = createLate(async () => (await import("./attempt.ts")).createAttempt(options));
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
  const load = createLate(async () => (await import("../recovery/unfinished-turns.ts")).createUnfinishedTurns(options));
  return async (...turn) => (await load())(...turn);
};
