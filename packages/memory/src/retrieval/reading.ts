/** What a chunk says, as far as its words show it. Each is found when it is asked for: few questions ask for all. */
import type { Chunk } from "../chunks/chunk.ts";
import { toTerms } from "../chunks/terms.ts";

export interface Reading {
  /** Terms of its text, in order. */
  readonly terms: readonly string[];
  /** It ends as a question; it has one in it. */
  readonly isQuestion: boolean;
  readonly hasQuestion: boolean;
  readonly hasTime: boolean;
  readonly hasNumber: boolean;
  /** Capitals that no sentence begins with, two at most: names of something. */
  readonly names: number;
  readonly hasQuote: boolean;
  /** Somebody speaks of themselves; somebody speaks to another. */
  readonly saysI: boolean;
  readonly saysYou: boolean;
  /** It begins as an answer to what was said: thanks, praise, agreement. */
  readonly reacts: boolean;
  readonly hasPicture: boolean;
}

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
    get terms() {
      return (terms ??= toTerms(text, stem));
    },
    isQuestion: said.trimEnd().endsWith("?"),
    hasQuestion: said.includes("?"),
    get hasTime() {
      return TIME.test(said);
    },
    get hasNumber() {
      return NUMBER.test(said);
    },
    get names() {
      return Math.min(2, said.match(NAME)?.length ?? 0);
    },
    get hasQuote() {
      return /["“][^"”]+["”]/.test(said);
    },
    get saysI() {
      return /\b(I|my|we|our|I'm|I've|My|We|Our)\b/.test(said);
    },
    get saysYou() {
      return /\byour?\b/i.test(said);
    },
    get reacts() {
      return REACTION.test(said);
    },
    hasPicture: said.length < text.length || (text.includes("![") && /!\[[^\]]*\]\(/.test(text)),
  };
};

/** What stands in brackets at the end tells of a picture, not of what was said. */
const toSaid = (text: string): string => (text.trimEnd().endsWith("]") ? text.replace(/\s*\[[^\]]*\]\s*$/, "") : text);
