/** What a chunk says, as far as its words show it. What few questions ask for is a function of its own, found when it is asked for. */
import type { Chunk } from "../chunks/chunk.ts";
import { toTerms } from "../chunks/terms.ts";

export interface Reading {
  /** Its text without what tells of a picture. */
  readonly said: string;
  /** It ends as a question; it has one in it. */
  readonly isQuestion: boolean;
  readonly hasQuestion: boolean;
  readonly hasPicture: boolean;
  /** Of its text, in order. */
  terms(): readonly string[];
}

type Said = Pick<Reading, "said">;

const TIME =
  /\b(yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|days?|mon|tues?|wed|thurs?|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|morning|since|recently|\d{4}|summer|winter|spring|fall|autumn|just|soon|now|earlier)\b/i;
const NUMBER =
  /\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twice|couple|few|several|dozen|hundred|thousand)\b/i;
const NAME = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+|"\p{Lu}/gu;
const REACTION =
  /^(wow|thanks|thank you|congrats|congratulations|that's|that is|sounds|cool|awesome|great|nice|yeah|yep|yes|absolutely|totally|glad|hey|hi|hello|amazing|aww|oh|sure|no problem|you're|so glad|way to go)\b/i;

export const readChunk = ({ text }: Pick<Chunk, "text">, stem?: (word: string) => string): Reading => {
  const said = toSaid(text);
  let terms: readonly string[] | undefined;
  return {
    said,
    isQuestion: said.trimEnd().endsWith("?"),
    hasQuestion: said.includes("?"),
    hasPicture: said.length < text.length || (text.includes("![") && /!\[[^\]]*\]\(/.test(text)),
    terms: () => (terms ??= toTerms(text, stem)),
  };
};

export const tellsTime = ({ said }: Said): boolean => TIME.test(said);
export const tellsNumber = ({ said }: Said): boolean => NUMBER.test(said);
/** Capitals that no sentence begins with, two at most: names of something. */
export const countNames = ({ said }: Said): number => Math.min(2, said.match(NAME)?.length ?? 0);
export const quotes = ({ said }: Said): boolean => /["“][^"”]+["”]/.test(said);
/** Somebody speaks of themselves. */
export const saysI = ({ said }: Said): boolean => /\b(I|my|we|our|I'm|I've|My|We|Our)\b/.test(said);
/** Somebody speaks to another. */
export const saysYou = ({ said }: Said): boolean => /\byour?\b/i.test(said);
/** It begins as an answer to what was said: thanks, praise, agreement. */
export const reacts = ({ said }: Said): boolean => REACTION.test(said);

/** What stands in brackets at the end tells of a picture, not of what was said. */
const toSaid = (text: string): string => (text.trimEnd().endsWith("]") ? text.replace(/\s*\[[^\]]*\]\s*$/, "") : text);
