/** What to forget: predicates that other parts apply to decide what derives from the source. */
import type { AgentId, AgentRecord, KeptReply, StoredMessage } from "@hearth/protocol";
import { containsFact, squash } from "./fact-text.ts";
import { unstrike } from "./replaced.ts";
import { numbersIn, containsShortFact } from "./distinctive-words.ts";

export interface ForgetTarget {
  readonly agent: AgentRecord;
  /** The person in whose name messages are deleted. */
  readonly by: AgentId;
  /** Whether this source name in a label is the target. */
  readonly isSource: (name: string) => boolean;
  /** Turns to erase completely. */
  readonly turns: ReadonlySet<string>;
  /** The message that is the source. It is deleted from its room too. */
  readonly message?: StoredMessage;
  /** Whether a text contains the target. */
  readonly isSaidIn: (text: string) => boolean;
  /**
   * The text that the brain had of it. A message of a turn that read the source is deleted if it
   * contains some of this.
   */
  readonly said: readonly string[];
  /** The reading turns are unknown: any turn may have read it. */
  readonly isReadAnywhere: boolean;
  /** All messages of turns that read it are deleted, whatever they say. */
  readonly takesReplies: boolean;
  /** Brain files that were shortened; their copies in turn inputs are erased. */
  readonly files: ReadonlySet<string>;
}

/** Counts of what was erased outside the brain. */
export interface TracesErased {
  /** Calls whose results were erased. */
  readonly steps: number;
  /** Messages deleted from rooms. */
  readonly messages: number;
  /** Summaries that are no longer used. */
  readonly summaries: number;
  /** Running turns that may hold it. Their records are erased when they end. */
  readonly running: number;
  /** The newest messages of turns that read it and that contain nothing of it. They stay. */
  readonly kept: readonly KeptReply[];
  /** Number of such messages. */
  readonly keptCount: number;
}

/**
 * Erases what derives from a source outside the brain: call results, turn inputs, summaries,
 * messages, notes to others.
 */
export interface Traces {
  erase(meant: ForgetTarget): Promise<TracesErased>;
  /** Removes erased data from the disk, including the database's write-ahead log. */
  scrub(): Promise<void>;
}

/**
 * Matches a text if one of its lines states a fact, or if it contains the fact literally; in JSON,
 * any string may match. A short fact matches a line with all its words; facts in `telling` match by
 * each of their numbers.
 */
export const containsAnyFact = (
  facts: readonly string[],
  telling: readonly string[] = [],
): ForgetTarget["isSaidIn"] => {
  const normalizedFacts = [...new Set(facts.map(squash))].filter((fact) => fact !== "");
  const numbers = new Set(telling.flatMap((fact) => [...numbersIn(fact)]));
  const isShort = containsShortFact(normalizedFacts);
  const isLine = (line: string): boolean => normalizedFacts.some((fact) => containsFact(unstrike(line), fact));
  const isText = (text: string): boolean => text.split("\n").some(isLine) || isLine(squash(text));
  const isTold = (text: string): boolean =>
    text.split("\n").some(isShort) || (numbers.size > 0 && [...numbersIn(text)].some((number) => numbers.has(number)));
  return (text) => {
    if (normalizedFacts.length === 0) return false;
    const texts = textsIn(text);
    return texts.some(isTold) || [text, ...texts].some(isText);
  };
};

/** All strings of a JSON text; else the text itself. */
export const textsIn = (text: string): readonly string[] => {
  if (!/^\s*[[{]/.test(text)) return [text];
  try {
    return textsOf(JSON.parse(text));
  } catch {
    return [text];
  }
};

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
};
