/** Token limits of models, and the session size at which compaction starts. */
import type { CompactionConfig, Config } from "../../kernel/index.ts";
import { byPrefix, type CandidateModel } from "../../models/index.ts";
import { modelInfo } from "../../models/lazy.ts";

/** Maximum session size in tokens. Above it, each turn costs more than a summary loses. */
const MAX_SESSION_TOKENS = 200_000;
/** The limit in tokens for a chain without a known model. */
const UNKNOWN_LIMIT_TOKENS = 128_000;

/**
 * Maximum default reserve in tokens. The tokens that one turn adds do not grow with the model's
 * limit.
 */
const MAX_RESERVE_TOKENS = 32_000;

/**
 * Returns the smallest limit among the models that may answer. The built-in model is not a language
 * model, so it has no limit.
 */
export const limitOf = (
  candidates: readonly CandidateModel[],
  {
    compaction: { limits },
    models,
  }: Pick<Config, "models"> & { readonly compaction: Pick<CompactionConfig, "limits"> },
): number =>
  candidates.length === 0
    ? UNKNOWN_LIMIT_TOKENS
    : Math.min(...candidates.map((candidate) => byPrefix(candidate.name, limits) ?? knownLimit(candidate, models)));

/** Returns the session size in tokens above which a turn begins with a compaction. */
export const compactAbove = (limit: number, { reserve }: Pick<CompactionConfig, "reserve">): number => {
  const free = reserve ?? Math.min(MAX_RESERVE_TOKENS, limit / 4);
  // A reserve as large as the limit would leave no room for the conversation.
  return Math.max(limit - free, limit / 4);
};

/** The built-in model has no limit. */
const knownLimit = (candidate: CandidateModel, models: Config["models"]): number => {
  const { context } = modelInfo(candidate, models);
  return context === Infinity ? context : Math.min(context, MAX_SESSION_TOKENS);
};
