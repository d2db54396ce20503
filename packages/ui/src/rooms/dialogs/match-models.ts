/** Finds models by a part of their name. Pure. */

/** Maximum number of models of one provider in the list. */
const MAX_MATCHES = 30;

export interface MatchedModels {
  readonly models: readonly string[];
  /** Number of further matches. */
  readonly hiddenCount: number;
}

/** Returns the models that contain every word of the query, in their order. */
export const matchModels = (models: readonly string[], query: string): MatchedModels => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = models.filter((model) => words.every((word) => model.toLowerCase().includes(word)));
  return { models: matches.slice(0, MAX_MATCHES), hiddenCount: Math.max(0, matches.length - MAX_MATCHES) };
};
