/** Applies the config's tuning: a plain sum instead of the learned order, and a penalty for age. */
import type { MemoryTuning } from "@hearth/protocol/memory-frames";
import { type Day, parseDay, dayNumber } from "../chunks/days.ts";
import type { Candidate } from "./candidates.ts";
import type { Blend } from "./recipes.ts";
import type { Numbers } from "./scale.ts";

/** Returns the configured blend. Without vectors, only words count. */
export const blendOf = ({ semantic, lexical }: MemoryTuning, mode: "hybrid" | "lexical"): Blend | undefined => {
  if (semantic === undefined && lexical === undefined) return undefined;
  return mode === "lexical" ? { semantic: 0, lexical: 1 } : { semantic: semantic ?? 0, lexical: lexical ?? 0 };
};

/** Returns ages in half-lives. A chunk without a date, or with a date in the future, has the age 0. */
export const agesOf = (
  candidates: readonly Candidate[],
  { halfLifeDays }: MemoryTuning,
  today: Day | undefined,
): Numbers | undefined => {
  if (halfLifeDays === undefined || today === undefined) return undefined;
  const todayNumber = dayNumber(today);
  return Float64Array.from(candidates, ({ chunk }) => {
    const day = parseDay(chunk.date ?? "");
    return day === undefined ? 0 : Math.max(0, todayNumber - dayNumber(day)) / halfLifeDays;
  });
};

/**
 * Returns the change of a score by age. Each half-life halves the odds, whose logarithm a learned
 * score is, or halves a sum.
 */
export const adjustForAge = (score: number, age: number, isSum: boolean): number =>
  isSum ? score * (2 ** -age - 1) : -Math.LN2 * age;
