/** What a question asks for, as far as its words show it. */
import { readTime, type TimeAsked } from "../chunks/dates.ts";
import type { Day } from "../chunks/days.ts";
import { toTerms } from "../chunks/terms.ts";

export interface Question {
  readonly text: string;
  /** Every term, each once. */
  readonly terms: readonly string[];
  /** Terms that are no speaker's name, each once; all, when names are all there is. */
  readonly about: readonly string[];
  /** Those of them that follow each other. */
  readonly pairs: readonly (readonly [term: string, next: string])[];
  /** Those of the known speakers that it names. */
  readonly named: ReadonlySet<string>;
  readonly time: TimeAsked;
  readonly asks: "when" | "who" | "where" | "how-many" | "other";
  /** It asks for something that has a title, or for words that somebody said. */
  readonly asksTitle: boolean;
  readonly asksPicture: boolean;
  /** It asks for what was last, or first. */
  readonly asksLast: boolean;
  readonly asksFirst: boolean;
  /** As a statement: without the words that make it a question. Empty when nothing else is in it. */
  readonly statement: string;
}

export const readQuestion = (text: string, speakers: readonly string[], today?: Day): Question => {
  const lower = text.toLowerCase();
  const named = new Set(speakers.filter((speaker) => namesIn(lower, speaker)));
  const names = new Set([...named].flatMap((speaker) => [...toTerms(speaker)]));
  const all = toTerms(text);
  const about = all.filter((term) => !names.has(term));
  const words = about.length === 0 ? all : about;
  return {
    text,
    terms: [...new Set(all)],
    about: [...new Set(words)],
    pairs: toPairs(words),
    named,
    time: readTime(text, today),
    asks: toKind(lower),
    asksTitle: /\b(books?|movies?|films?|songs?|bands?|games?|names?d?|called|titles?|quotes?|say|said|says)\b/.test(
      lower,
    ),
    asksPicture: /\b(photos?|pictures?|images?|paintings?|show|showed|shows|shown|shared?|posted|posters?)\b/.test(
      lower,
    ),
    asksLast: /\b(recent|recently|latest|last|current|currently|now|newest)\b/.test(lower),
    asksFirst: /\bfirst\b/.test(lower),
    statement: toStatement(text),
  };
};

const toPairs = (terms: readonly string[]): Question["pairs"] => {
  const pairs = terms.slice(1).map((next, at) => [terms[at] ?? "", next] as const);
  return [...new Map(pairs.map((pair) => [pair.join(" "), pair])).values()];
};

const toKind = (lower: string): Question["asks"] => {
  if (/\bwhen\b|\b(what|which) (date|day|month|year|time)\b|\bhow long ago\b/.test(lower)) return "when";
  if (
    /\bhow (many|much|long|often|old|big|far|tall|expensive)\b|\bwhat (price|number|size|temperature)\b/.test(lower)
  ) {
    return "how-many";
  }
  if (/^(in |to |from |for |with )?who(m|se)?\b/.test(lower)) return "who";
  return /^(\S+ ){0,2}where\b|\b(what|which) (city|country|place|state|town|village|street|address)\b/.test(lower)
    ? "where"
    : "other";
};

/** A first name alone names the speaker too. */
const namesIn = (lower: string, speaker: string): boolean => {
  const name = speaker.toLowerCase();
  const words = new Set(lower.match(/[\p{L}\p{N}]+/gu) ?? []);
  const [first = ""] = name.split(" ");
  return lower.includes(name) ? words.has(first) : first.length > 2 && words.has(first);
};

const QUESTION_WORDS =
  /^(?:(?:when|what|where|who|whose|whom|why|how|which|many|much|long|often|in|is|are|was|were|does|do|did|would|will|has|have|had|can|could|should)\b[\s,]*)+/i;

const toStatement = (text: string): string =>
  text
    .replace(/\?+\s*$/, "")
    .trim()
    .replace(QUESTION_WORDS, "")
    .trim();
