/** How many tokens a model takes, and from how many on a session is compacted. */
import type { CompactionConfig } from "../../kernel/index.ts";
import type { CandidateModel } from "../../models/index.ts";

/** What each model that the vendor offers for talk takes at least. */
const VENDORS: Readonly<Record<string, number>> = { anthropic: 200_000, gemini: 1_000_000 };
/** Of a model that nobody told of. One at home is often given less than it could take, and leaves out the rest without a word. */
const ELSEWHERE = 128_000;
const LOCAL = 32_768;

/** Longest default reserve: what a turn adds does not grow with the model's limit. */
const MAX_RESERVE = 32_000;

/** Of the models that may answer, what the least of them takes. The built-in one, which is no language model, takes everything. */
export const limitOf = (leaves: readonly CandidateModel[], { limits }: Pick<CompactionConfig, "limits">): number =>
  leaves.length === 0 ? ELSEWHERE : Math.min(...leaves.map((leaf) => ownLimit(leaf.name, limits) ?? knownLimit(leaf)));

/** A session that takes more tokens than this is compacted first. */
export const dueAbove = (limit: number, { reserve }: Pick<CompactionConfig, "reserve">): number => {
  const free = reserve ?? Math.min(MAX_RESERVE, limit / 4);
  // A reserve as large as the limit would leave nothing to talk with.
  return Math.max(limit - free, limit / 4);
};

const knownLimit = ({ vendor, runs }: CandidateModel): number => {
  if (runs === "built-in") return Infinity;
  return runs === "local" ? LOCAL : (VENDORS[vendor ?? ""] ?? ELSEWHERE);
};

/** By the longest beginning that fits. */
const ownLimit = (name: string, limits: CompactionConfig["limits"]): number | undefined =>
  [...limits]
    .filter(([beginning]) => name.startsWith(beginning))
    .toSorted(([one], [other]) => other.length - one.length)[0]?.[1];
