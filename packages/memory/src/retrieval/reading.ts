/** Analyzes the text of a chunk. Rarely needed properties are computed on demand. */
import type { Chunk } from "../chunks/chunk.ts";
import { toTerms } from "../chunks/terms.ts";

export interface TextFeatures {
  /** The text without a picture's description. */
  readonly spoken: string;
  /** Whether the text ends with a question, and whether it contains one. */
  readonly isQuestion: boolean;
  readonly hasQuestion: boolean;
  readonly hasPicture: boolean;
  /** Returns the terms of the text, in order. */
  terms(): readonly string[];
}

type SpokenText = Pick<TextFeatures, "spoken">;

const TIME_WORD =
  /\b(yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|days?|mon|tues?|wed|thurs?|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|morning|since|recently|\d{4}|summer|winter|spring|fall|autumn|just|soon|now|earlier)\b/i;
const NUMBER_WORD =
  /\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twice|couple|few|several|dozen|hundred|thousand)\b/i;
const CAPITALIZED_WORD = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+|"\p{Lu}/gu;
const REACTION_START =
  /^(wow|thanks|thank you|congrats|congratulations|that's|that is|sounds|cool|awesome|great|nice|yeah|yep|yes|absolutely|totally|glad|hey|hi|hello|amazing|aww|oh|sure|no problem|you're|so glad|way to go)\b/i;

export const analyzeChunk = ({ text }: Pick<Chunk, "text">, stem?: (word: string) => string): TextFeatures => {
  const spoken = toSpoken(text);
  let terms: readonly string[] | undefined;
  return {
    spoken,
    isQuestion: spoken.trimEnd().endsWith("?"),
    hasQuestion: spoken.includes("?"),
    hasPicture: spoken.length < text.length || (text.includes("![") && /!\[[^\]]*\]\(/.test(text)),
    terms: () => (terms ??= toTerms(text, stem)),
  };
};

export const mentionsTime = ({ spoken }: SpokenText): boolean => TIME_WORD.test(spoken);
export const mentionsNumber = ({ spoken }: SpokenText): boolean => NUMBER_WORD.test(spoken);
/** Returns the number of capitalized words inside sentences, at most 2. They are probably names. */
export const countNames = ({ spoken }: SpokenText): number => Math.min(2, spoken.match(CAPITALIZED_WORD)?.length ?? 0);
export const hasQuotation = ({ spoken }: SpokenText): boolean => /["“][^"”]+["”]/.test(spoken);
/** Whether the text contains the first person. */
export const usesFirstPerson = ({ spoken }: SpokenText): boolean => /\b(I|my|we|our|I'm|I've|My|We|Our)\b/.test(spoken);
/** Whether the text contains the second person. */
export const usesSecondPerson = ({ spoken }: SpokenText): boolean => /\byour?\b/i.test(spoken);
/** Whether the text starts with a reaction, such as thanks, praise or agreement. */
export const isReaction = ({ spoken }: SpokenText): boolean => REACTION_START.test(spoken);

/** Removes the description of a picture, in brackets at the end. */
const toSpoken = (text: string): string =>
  text.trimEnd().endsWith("]") ? text.replace(/\s*\[[^\]]*\]\s*$/, "") : text;
