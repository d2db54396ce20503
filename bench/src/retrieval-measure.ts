/** Measures the quality of a ranking for questions with known answers. */

export interface Quality {
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly recallAt20: number;
  /** Reciprocal rank of the first right chunk. */
  readonly mrr: number;
  readonly ndcgAt10: number;
  readonly questions: number;
}

/** Measures one question. `order` has chunk ids, best first. */
export const measureOrder = (order: readonly string[], gold: readonly string[]): Quality => {
  const wanted = new Set(gold);
  const places = order.flatMap((id, at) => (wanted.has(id) ? at : []));
  const recall = (most: number): number => places.filter((at) => at < most).length / wanted.size;
  const gain = (at: number): number => 1 / Math.log2(at + 2);
  const best = Array.from({ length: Math.min(10, wanted.size) }, (_, at) => gain(at));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const first = places[0];
  return {
    recallAt5: recall(5),
    recallAt10: recall(10),
    recallAt20: recall(20),
    mrr: first === undefined ? 0 : 1 / (first + 1),
    ndcgAt10: sum(places.filter((at) => at < 10).map(gain)) / sum(best),
    questions: 1,
  };
};

/** Averages with equal weight for every question. */
export const meanQuality = (qualities: readonly Quality[]): Quality => {
  const mean = (of: (quality: Quality) => number): number => {
    const total = qualities.reduce((sum, quality) => sum + of(quality), 0);
    return qualities.length === 0 ? 0 : Math.round((10_000 * total) / qualities.length) / 10_000;
  };
  return {
    recallAt5: mean(({ recallAt5 }) => recallAt5),
    recallAt10: mean(({ recallAt10 }) => recallAt10),
    recallAt20: mean(({ recallAt20 }) => recallAt20),
    mrr: mean(({ mrr }) => mrr),
    ndcgAt10: mean(({ ndcgAt10 }) => ndcgAt10),
    questions: qualities.length,
  };
};
