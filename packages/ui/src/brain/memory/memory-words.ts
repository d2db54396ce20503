/** Texts about memory search and its index. Pure. */
import type { MemoryStatus, RecallAnswer, RecalledFact } from "@hearth/protocol";
import { formatNumber, locale } from "../../language/locale.ts";
import * as texts from "../text.ts";

/** Formats the location of a fact as `forget` expects it: `MEMORY.md:12` or `MEMORY.md:12-14`. */
export const locationOf = ({ path, lines: [firstLine, lastLine] }: Pick<RecalledFact, "path" | "lines">): string =>
  `${path}:${firstLine}${lastLine === firstLine ? "" : `-${lastLine}`}`;

export interface PartLine {
  readonly title: string;
  /** For example "+2.13" or "−0.40". */
  readonly value: string;
}

/** Describes the parts of a score, largest first. Leaves out parts that round to zero. */
export const describeParts = (parts: RecalledFact["parts"]): readonly PartLine[] =>
  Object.entries(parts)
    .filter(([, score]) => Math.abs(score) >= 0.005)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, score]) => ({ title: texts.scoreParts[name] ?? name, value: formatScore(score) }));

export const formatScore = (score: number): string =>
  `${score < 0 ? "−" : "+"}${Math.abs(score).toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** Describes limitations of a search that may hide results. */
export const describeAnswer = ({ mode, rebuilding, problem }: Omit<RecallAnswer, "found">): readonly string[] => [
  ...(mode === "none" ? [texts.searchIsOff] : []),
  ...(mode === "lexical" ? [texts.keywordSearchOnly] : []),
  ...(problem === undefined ? [] : [problem]),
  ...(rebuilding ? [texts.indexIsRebuilt] : []),
];

export const describeState = ({ rebuilding, catchingUp, problem, chunks, vectors }: MemoryStatus): string => {
  if (rebuilding) return texts.indexingFiles;
  if (problem !== undefined) return texts.keywordsBecause(problem);
  if (catchingUp) return texts.partlyByMeaning(formatNumber(vectors), formatNumber(chunks));
  return texts.indexIsComplete;
};
