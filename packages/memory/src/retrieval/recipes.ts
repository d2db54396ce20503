/** Fixed formulas without learned weights, as a baseline for measurements. */
import type { Examination } from "./examine.ts";
import { type Numbers, minMaxScale } from "./scale.ts";

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
  { ownSignals, mode }: Examination,
  { semantic, lexical }: Blend,
  words: "lexical" | "own words" = "lexical",
): Numbers => {
  const semanticScores = minMaxScale(ownSignals.get("whole") ?? new Float64Array());
  return minMaxScale(ownSignals.get(words) ?? new Float64Array()).map(
    (word, index) => lexical * word + (mode === "hybrid" ? semantic * (semanticScores[index] ?? 0) : 0),
  );
};

/** Scores candidates in one pass, with weights that were not learned. */
export const baselineScores = (examination: Examination): Numbers => {
  const { all } = examination.candidates;
  const valuesOf = (name: string): Numbers => examination.ownSignals.get(name) ?? new Float64Array(all.length);
  const wordScores = minMaxScale(valuesOf("lexical"));
  const semanticScores = minMaxScale(
    valuesOf("sentence").map((sentence, index) => 0.5 * sentence + 0.5 * (valuesOf("whole")[index] ?? 0)),
  );
  const baseScores = wordScores.map((word, index) => 0.55 * word + 0.45 * (semanticScores[index] ?? 0));
  const [speaker, date] = [valuesOf("speaker"), valuesOf("date")];
  return baseScores.map((score, index) => {
    const candidate = all[index];
    const neighbourScores = [baseScores[candidate?.previous ?? -1] ?? 0, baseScores[candidate?.next ?? -1] ?? 0];
    const neighbours = neighbourScores.reduce((sum, other) => sum + other, 0) / 2;
    const length = Math.log(20 + (candidate?.chunk.text.length ?? 0));
    return score + 0.15 * neighbours + 0.08 * (speaker[index] ?? 0) + 0.15 * (date[index] ?? 0) + 0.04 * length;
  });
};
