/** Analyzes a question by its words. */
import { readTime, type TimeConstraints } from "../chunks/dates.ts";
import type { Day } from "../chunks/days.ts";
import { toTerms } from "../chunks/terms.ts";

export interface Question {
  readonly text: string;
  /** The distinct terms. */
  readonly terms: readonly string[];
  /** The distinct terms that are not names of speakers. If all terms are names, this contains all terms. */
  readonly topicTerms: readonly string[];
  /** Adjacent pairs of topic terms. */
  readonly pairs: readonly (readonly [term: string, next: string])[];
  /** The known speakers that the question names. */
  readonly namedSpeakers: ReadonlySet<string>;
  readonly time: TimeConstraints;
  readonly kind: "when" | "who" | "where" | "how-many" | "other";
  /** Whether the question asks for something with a title, or for a quotation. */
  readonly asksTitle: boolean;
  readonly asksPicture: boolean;
  /** Whether the question asks for the latest, or the first, of something. */
  readonly asksLast: boolean;
  readonly asksFirst: boolean;
  /** The question without the names of speakers, possibly empty. Without such names, the question itself. */
  readonly topic: string;
}

export const analyzeQuestion = (text: string, speakers: readonly string[], today?: Day): Question => {
  const lower = text.toLowerCase();
  const namedSpeakers = new Set(speakers.filter((speaker) => mentionsName(lower, speaker)));
  const names = new Set([...namedSpeakers].flatMap((speaker) => [...toTerms(speaker)]));
  const allTerms = toTerms(text);
  const topic = allTerms.filter((term) => !names.has(term));
  const words = topic.length === 0 ? allTerms : topic;
  return {
    text,
    terms: [...new Set(allTerms)],
    topicTerms: [...new Set(words)],
    pairs: toPairs(words),
    namedSpeakers,
    time: readTime(text, today),
    kind: toKind(lower),
    asksTitle: /\b(books?|movies?|films?|songs?|bands?|games?|names?d?|called|titles?|quotes?|say|said|says)\b/.test(
      lower,
    ),
    asksPicture: /\b(photos?|pictures?|images?|paintings?|show|showed|shows|shown|shared?|posted|posters?)\b/.test(
      lower,
    ),
    asksLast: /\b(recent|recently|latest|last|current|currently|now|newest)\b/.test(lower),
    asksFirst: /\bfirst\b/.test(lower),
    topic: namedSpeakers.size === 0 ? text : toTopic(text, namedSpeakers),
  };
};

const toPairs = (terms: readonly string[]): Question["pairs"] => {
  const pairs = terms.slice(1).map((next, index) => [terms[index] ?? "", next] as const);
  return [...new Map(pairs.map((pair) => [pair.join(" "), pair])).values()];
};

const toKind = (lower: string): Question["kind"] => {
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

/** Whether the text names the speaker, possibly only by the first name. */
const mentionsName = (lower: string, speaker: string): boolean => {
  const name = speaker.toLowerCase();
  const words = new Set(lower.match(/[\p{L}\p{N}]+/gu) ?? []);
  const [firstName = ""] = name.split(" ");
  return lower.includes(name) ? words.has(firstName) : firstName.length > 2 && words.has(firstName);
};

/**
 * Removes the names of speakers. Most chunks of a conversation are near its speakers' names, and
 * only some are near the rest of the question.
 */
const toTopic = (text: string, namedSpeakers: ReadonlySet<string>): string => {
  const names = new Set([...namedSpeakers].flatMap((speaker) => speaker.toLowerCase().match(WORD) ?? []));
  return text
    .replace(/\?+\s*$/, "")
    .replace(NAME, (word, name: string) => (names.has(name.toLowerCase()) ? "" : word))
    .replace(/\s+/g, " ")
    .trim();
};

const WORD = /[\p{L}\p{N}]+/gu;
/** A word, possibly in the genitive. */
const NAME = /([\p{L}\p{N}]+)(?:['’]s(?![\p{L}\p{N}]))?/gu;
