/** What a memory found and how it stands, in a person's words. Pure. */
import type { MemoryStatus, RecallAnswer, RecalledFact } from "@hearth/protocol";

/** As `forget` takes it: `MEMORY.md:12` or `MEMORY.md:12-14`. */
export const placeOf = ({ path, lines: [first, last] }: Pick<RecalledFact, "path" | "lines">): string =>
  `${path}:${first}${last === first ? "" : `-${last}`}`;

const partWords: Readonly<Record<string, string>> = {
  words: "the same words",
  meaning: "the same meaning",
  time: "the time that is asked about",
  people: "who is asked about",
  form: "what kind of text it is",
  around: "what stands around it",
  age: "its age",
};

export interface PartLine {
  readonly title: string;
  /** "+2.13" or "−0.40". */
  readonly value: string;
}

/** What the score is made of, what counted most first. What rounds to nothing is left out. */
export const tellParts = (parts: RecalledFact["parts"]): readonly PartLine[] =>
  Object.entries(parts)
    .filter(([, added]) => Math.abs(added) >= 0.005)
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .map(([name, added]) => ({ title: partWords[name] ?? name, value: tellScore(added) }));

export const tellScore = (score: number): string => `${score < 0 ? "−" : "+"}${Math.abs(score).toFixed(2)}`;

/** How an answer came about, where that may have kept something from it. */
export const tellAnswer = ({ mode, rebuilding, problem }: Omit<RecallAnswer, "found">): readonly string[] => [
  ...(mode === "none" ? ["Nothing of this memory is indexed: its settings, or the house's config, say so."] : []),
  ...(mode === "lexical" ? ["Found by words alone: other words may find more."] : []),
  ...(problem === undefined ? [] : [problem]),
  ...(rebuilding ? ["The index is being made: there may be more."] : []),
];

export const tellState = ({ rebuilding, catchingUp, problem, chunks, vectors }: MemoryStatus): string => {
  if (rebuilding) return "Files are still being read into it.";
  if (problem !== undefined) return `By words alone: ${problem}`;
  if (catchingUp)
    return `Found by words; ${vectors.toLocaleString("en")} of ${chunks.toLocaleString("en")} by meaning too.`;
  return "It has all that the files hold.";
};
