/** The source to forget, as predicates that decide which texts derive from it. */
import type { AgentId, AgentRecord, KeptReply, StoredMessage } from "@hearth/protocol";
import { containsFact, collapseSpaces } from "./fact-text.ts";
import { unstrike } from "./replaced.ts";
import { numbersIn, containsShortFact } from "./distinctive-words.ts";

export interface ForgetTarget {
  readonly agent: AgentRecord;
  /** The person in whose name messages are deleted. */
  readonly by: AgentId;
  /** Whether this source name in a label is the source to forget. */
  readonly isSource: (name: string) => boolean;
  /** The turns to erase completely. */
  readonly turns: ReadonlySet<string>;
  /** The message that is the source. It is also deleted from its room. */
  readonly message?: StoredMessage;
  /** Whether a text contains the source. */
  readonly occursIn: (text: string) => boolean;
  /**
   * The text of the source in the brain. A message of a turn that read the source is deleted if
   * it contains some of this text.
   */
  readonly texts: readonly string[];
  /** Whether any turn may have read the source, because the reading turns are unknown. */
  readonly isReadAnywhere: boolean;
  /** Whether all messages of the turns that read the source are deleted, with any text. */
  readonly deletesReplies: boolean;
  /** Brain files from which lines were removed. Their copies in turn inputs are erased. */
  readonly files: ReadonlySet<string>;
}

/** Counts of what was erased outside the brain. */
export interface TracesErased {
  /** Number of calls whose results were erased. */
  readonly steps: number;
  /** Number of messages deleted from rooms. */
  readonly messages: number;
  /** Number of summaries that are no longer used. */
  readonly summaries: number;
  /** Number of running turns that may hold the text. Their records are erased when they end. */
  readonly running: number;
  /**
   * The newest of the messages that stay: turns that read the source wrote them, and they contain
   * no text of it.
   */
  readonly kept: readonly KeptReply[];
  /** Total number of the messages that stay. */
  readonly keptCount: number;
}

/**
 * Erases what derives from a source outside the brain: call results, turn inputs, summaries,
 * messages and notes to other agents.
 */
export interface Traces {
  erase(target: ForgetTarget): Promise<TracesErased>;
  /** Removes erased data from the disk, including the database's write-ahead log. */
  scrub(): Promise<void>;
}

/**
 * Returns the predicate whether a text states one of these facts in a line, or contains it
 * literally. In JSON, any string may match. A short fact matches a line with all its words. A fact
 * in `distinctiveFacts` also matches by each of its numbers.
 */
export const containsAnyFact = (
  facts: readonly string[],
  distinctiveFacts: readonly string[] = [],
): ForgetTarget["occursIn"] => {
  const normalizedFacts = [...new Set(facts.map(collapseSpaces))].filter((fact) => fact !== "");
  const numbers = new Set(distinctiveFacts.flatMap((fact) => [...numbersIn(fact)]));
  const isShort = containsShortFact(normalizedFacts);
  const isLine = (line: string): boolean => normalizedFacts.some((fact) => containsFact(unstrike(line), fact));
  const isText = (text: string): boolean => text.split("\n").some(isLine) || isLine(collapseSpaces(text));
  const hasShortFactOrNumber = (text: string): boolean =>
    text.split("\n").some(isShort) || (numbers.size > 0 && [...numbersIn(text)].some((number) => numbers.has(number)));
  return (text) => {
    if (normalizedFacts.length === 0) return false;
    const texts = textsIn(text);
    return texts.some(hasShortFactOrNumber) || [text, ...texts].some(isText);
  };
};

/** Returns all strings of a JSON text, or the text itself if it is not JSON. */
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
