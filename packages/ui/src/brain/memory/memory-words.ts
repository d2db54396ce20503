/** Texts about memory search and its index. Pure. */
import type { MemoryStatus, RecallAnswer, RecalledFact } from "@hearth/protocol";

/** Formats the location of a fact as `forget` expects it: `MEMORY.md:12` or `MEMORY.md:12-14`. */
export const locationOf = ({ path, lines: [first, last] }: Pick<RecalledFact, "path" | "lines">): string =>
  `${path}:${first}${last === first ? "" : `-${last}`}`;

const partWords: Readonly<Record<string, string>> = {
  words: "keywords",
  meaning: "meaning",
  time: "time in the question",
  people: "people in the question",
  form: "type of text",
  around: "context",
  age: "age",
};

export interface PartLine {
  readonly title: string;
  /** For example "+2.13" or "−0.40". */
  readonly value: string;
}

/** Describes the parts of a score, largest first. Leaves out parts that round to zero. */
export const describeParts = (parts: RecalledFact["parts"]): readonly PartLine[] =>
  Object.entries(parts)
    .filter(([, added]) => Math.abs(added) >= 0.005)
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .map(([name, added]) => ({ title: partWords[name] ?? name, value: formatScore(added) }));

export const formatScore = (score: number): string => `${score < 0 ? "−" : "+"}${Math.abs(score).toFixed(2)}`;

/** Describes limitations of a search that may hide results. */
export const describeAnswer = ({ mode, rebuilding, problem }: Omit<RecallAnswer, "found">): readonly string[] => [
  ...(mode === "none" ? ["Memory search is off in the settings of the agent or of the house."] : []),
  ...(mode === "lexical" ? ["Keyword search only. Texts that use different words are not found."] : []),
  ...(problem === undefined ? [] : [problem]),
  ...(rebuilding ? ["The index is being rebuilt, so results may be missing."] : []),
];

export const describeState = ({ rebuilding, catchingUp, problem, chunks, vectors }: MemoryStatus): string => {
  if (rebuilding) return "Indexing files.";
  if (problem !== undefined) return `Keyword search only: ${problem}`;
  if (catchingUp)
    return `Keyword search; ${vectors.toLocaleString("en")} of ${chunks.toLocaleString("en")} chunks also by meaning.`;
  return "The index is complete.";
};
