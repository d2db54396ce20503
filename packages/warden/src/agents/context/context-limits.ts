/** Token limits of models, and the session size at which compaction starts. */
import type { CompactionConfig, Config } from "../../kernel/index.ts";
import { byBeginning, type CandidateModel } from "../../models/index.ts";
import { modelInfo } from "../../models/lazy.ts";

/** A longer session costs more in each turn than its summary loses. */
const MAX_SESSION = 200_000;
/** For a chain without a known model. */
const UNKNOWN = 128_000;

/** Longest default reserve. What one turn adds does not grow with the model's limit. */
const MAX_RESERVE = 32_000;

/**
 * Smallest limit among the models that may answer. The built-in model is not a language model and
 * has none.
 */
export const limitOf = (
  leaves: readonly CandidateModel[],
  {
    compaction: { limits },
    models,
  }: Pick<Config, "models"> & { readonly compaction: Pick<CompactionConfig, "limits"> },
): number =>
  leaves.length === 0
    ? UNKNOWN
    : Math.min(...leaves.map((leaf) => byBeginning(leaf.name, limits) ?? knownLimit(leaf, models)));

/** Returns the number of tokens above which a session is compacted first. */
export const compactAbove = (limit: number, { reserve }: Pick<CompactionConfig, "reserve">): number => {
  const free = reserve ?? Math.min(MAX_RESERVE, limit / 4);
  // A reserve as large as the limit would leave no room for the conversation.
  return Math.max(limit - free, limit / 4);
};

/** The built-in model has no limit. */
const knownLimit = (leaf: CandidateModel, models: Config["models"]): number => {
  const { context } = modelInfo(leaf, models);
  return context === Infinity ? context : Math.min(context, MAX_SESSION);
};
