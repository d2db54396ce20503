/** What a config changes of an order that was learned: a plain sum of meaning and words in its place, and days that sink as they pass. */
import type { MemoryTuning } from "@hearth/protocol";
import { type Day, parseDay, toNumber } from "../chunks/days.ts";
import type { Candidate } from "./candidates.ts";
import type { Blend } from "./recipes.ts";
import type { Numbers } from "./scale.ts";

/** Where nothing could be compared by meaning, words are all there is, whatever they weigh. */
export const blendOf = ({ semantic, lexical }: MemoryTuning, mode: "hybrid" | "lexical"): Blend | undefined => {
  if (semantic === undefined && lexical === undefined) return undefined;
  return mode === "lexical" ? { semantic: 0, lexical: 1 } : { semantic: semantic ?? 0, lexical: lexical ?? 0 };
};

/** How many half-lives ago each speaks of. What has no day, or one that is yet to come, has no age. */
export const agesOf = (
  all: readonly Candidate[],
  { halfLifeDays }: MemoryTuning,
  today: Day | undefined,
): Numbers | undefined => {
  if (halfLifeDays === undefined || today === undefined) return undefined;
  const now = toNumber(today);
  return Float64Array.from(all, ({ chunk }) => {
    const day = parseDay(chunk.date ?? "");
    return day === undefined ? 0 : Math.max(0, now - toNumber(day)) / halfLifeDays;
  });
};

/** What an age adds to a score: a learned one is the logarithm of odds, which are halved; a plain sum is halved itself. */
export const addedByAge = (score: number, age: number, isSum: boolean): number =>
  isSum ? score * (2 ** -age - 1) : -Math.LN2 * age;
