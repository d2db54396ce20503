/** Token limits of models, and the session size at which compaction starts. */
import type { CompactionConfig } from "../../kernel/index.ts";
import type { CandidateModel } from "../../models/index.ts";

/** Smallest limit among each vendor's chat models. */
const VENDORS: Readonly<Record<string, number>> = { anthropic: 200_000, gemini: 1_000_000 };
/**
 * Default for unknown models. Local servers often have a smaller context and silently drop the
 * rest.
 */
const ELSEWHERE = 128_000;
const LOCAL = 32_768;

/** Longest default reserve. What one turn adds does not grow with the model's limit. */
const MAX_RESERVE = 32_000;

/**
 * Smallest limit among the models that may answer. The built-in model is not a language model and
 * has none.
 */
export const limitOf = (leaves: readonly CandidateModel[], { limits }: Pick<CompactionConfig, "limits">): number =>
  leaves.length === 0 ? ELSEWHERE : Math.min(...leaves.map((leaf) => ownLimit(leaf.name, limits) ?? knownLimit(leaf)));

/** Returns the number of tokens above which a session is compacted first. */
export const compactAbove = (limit: number, { reserve }: Pick<CompactionConfig, "reserve">): number => {
  const free = reserve ?? Math.min(MAX_RESERVE, limit / 4);
  // A reserve as large as the limit would leave no room for the conversation.
  return Math.max(limit - free, limit / 4);
};

const knownLimit = ({ vendor, runs }: CandidateModel): number => {
  if (runs === "built-in") return Infinity;
  return runs === "local" ? LOCAL : (VENDORS[vendor ?? ""] ?? ELSEWHERE);
};

/** The longest matching prefix wins. */
const ownLimit = (name: string, limits: CompactionConfig["limits"]): number | undefined =>
  [...limits]
    .filter(([beginning]) => name.startsWith(beginning))
    .toSorted(([one], [other]) => other.length - one.length)[0]?.[1];
