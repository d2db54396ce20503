/** Finds models by a part of their name. Pure. */

/** Maximum number of models of one provider in the list. */
const MAX_SHOWN = 30;

export interface MatchedModels {
  readonly shown: readonly string[];
  /** Number of further matches. */
  readonly hidden: number;
}

/** Returns the models that contain every word of the query, in their order. */
export const matchModels = (models: readonly string[], query: string): MatchedModels => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) => words.every((word) => model.toLowerCase().includes(word)));
  return { shown: found.slice(0, MAX_SHOWN), hidden: Math.max(0, found.length - MAX_SHOWN) };
};
