/** What is to be forgotten, as whoever holds something made of it asks: is this of it? And who those are. */
import type { AgentId, AgentRecord, KeptReply, StoredMessage } from "@hearth/protocol";
import { says, squash } from "./fact-text.ts";
import { unstrike } from "./replaced.ts";
import { numbersIn, saysShortly } from "./distinctive-words.ts";

export interface ForgetTarget {
  readonly agent: AgentRecord;
  /** In whose name messages are taken back. */
  readonly by: AgentId;
  /** Whether labels mean the source by this name. */
  readonly isSource: (name: string) => boolean;
  /** Turns of which nothing stays but that they were. */
  readonly turns: ReadonlySet<string>;
  /** The message that is the source: it goes from its room too. */
  readonly message?: StoredMessage;
  /** Whether a text says it. */
  readonly isSaidIn: (text: string) => boolean;
  /** What it says, as far as the brain had it. Of those who had read it, a message goes that has something of this. */
  readonly said: readonly string[];
  /** Nobody knows which turns had read it: any of them may have. */
  readonly isReadAnywhere: boolean;
  /** What was written in turns that had read it goes, whatever it says. */
  readonly takesReplies: boolean;
  /** Files of the brain that hold less than they did: what turns were given of them goes. */
  readonly files: ReadonlySet<string>;
}

/** What is gone beside the brain. */
export interface TracesErased {
  /** Calls whose results are gone. */
  readonly steps: number;
  /** Messages that rooms have no more. */
  readonly messages: number;
  /** Summaries that are given no more. */
  readonly summaries: number;
  /** Turns that still run and may have it in hand: what they held goes when they are over. */
  readonly running: number;
  /** Messages that stay: written in turns that had read it, and nothing of it was found in them. The newest of them. */
  readonly kept: readonly KeptReply[];
  /** How many those are. */
  readonly keptCount: number;
}

/** What was made of a source outside the brain: results of calls, what turns were given, summaries, messages, notes to others. */
export interface Traces {
  erase(meant: ForgetTarget): Promise<TracesErased>;
  /** Nothing is left on the disk of what was erased before, not in the database's own log either. */
  scrub(): Promise<void>;
}

/**
 * A text says it when a line of it does, or when it stands in it as it is; in JSON, any text does. A short fact is said by a line with all its words,
 * and what is in `telling` by each number that stands in it.
 */
export const saysAnyOf = (facts: readonly string[], telling: readonly string[] = []): ForgetTarget["isSaidIn"] => {
  const said = [...new Set(facts.map(squash))].filter((fact) => fact !== "");
  const numbers = new Set(telling.flatMap((fact) => [...numbersIn(fact)]));
  const isShort = saysShortly(said);
  const isLine = (line: string): boolean => said.some((fact) => says(unstrike(line), fact));
  const isText = (text: string): boolean => text.split("\n").some(isLine) || isLine(squash(text));
  const isTold = (text: string): boolean =>
    text.split("\n").some(isShort) || (numbers.size > 0 && [...numbersIn(text)].some((number) => numbers.has(number)));
  return (text) => {
    if (said.length === 0) return false;
    const texts = textsIn(text);
    return texts.some(isTold) || [text, ...texts].some(isText);
  };
};

/** All texts of the JSON that a text is; else the text itself. */
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
