/** Fixed formulas without learned weights, as a baseline for measurements. */
import type { Examined } from "./examine.ts";
import { type Numbers, stretch } from "./scale.ts";

/** The weights of the scores by vectors and by words. */
export interface Blend {
  readonly semantic: number;
  readonly lexical: number;
}

/** The common formula: the sum of normalized cosine and plain BM25. */
export const COMMON_BLEND: Blend = { semantic: 0.7, lexical: 0.3 };

/**
 * Scores candidates by a weighted sum. `words` selects the index's BM25, with neighbours and
 * speakers, or BM25 of the chunk's own text.
 */
export const blendScores = (
  { own, mode }: Examined,
  { semantic, lexical }: Blend,
  words: "lexical" | "own words" = "lexical",
): Numbers => {
  const meaning = stretch(own.get("whole") ?? new Float64Array());
  return stretch(own.get(words) ?? new Float64Array()).map(
    (word, at) => lexical * word + (mode === "hybrid" ? semantic * (meaning[at] ?? 0) : 0),
  );
};

/** Scores candidates in one pass, with weights that were not learned. */
export const recipeScores = (examined: Examined): Numbers => {
  const { all } = examined.candidates;
  const of = (name: string): Numbers => examined.own.get(name) ?? new Float64Array(all.length);
  const words = stretch(of("lexical"));
  const meaning = stretch(of("sentence").map((sentence, at) => 0.5 * sentence + 0.5 * (of("whole")[at] ?? 0)));
  const base = words.map((word, at) => 0.55 * word + 0.45 * (meaning[at] ?? 0));
  const [speaker, date] = [of("speaker"), of("date")];
  return base.map((score, at) => {
    const candidate = all[at];
    const beside = [base[candidate?.previous ?? -1] ?? 0, base[candidate?.next ?? -1] ?? 0];
    const neighbours = beside.reduce((sum, other) => sum + other, 0) / 2;
    const length = Math.log(20 + (candidate?.chunk.text.length ?? 0));
    return score + 0.15 * neighbours + 0.08 * (speaker[at] ?? 0) + 0.15 * (date[at] ?? 0) + 0.04 * length;
  });
};
