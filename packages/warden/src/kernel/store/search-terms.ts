/** Reads what a person types into a search box. Pure. */

export interface SearchTerm {
  /** A word, or several that follow each other. */
  readonly text: string;
  /** The text may be the beginning of a longer word. */
  readonly isPrefix: boolean;
}

/** Terms of one query. More add cost and no meaning. */
const MAX_TERMS = 16;
/** Shorter beginnings match too many words. */
const MIN_PREFIX = 3;

/**
 * Words and "quoted phrases"; all have to match. The last word may be incomplete. Text without a
 * letter or a digit is left out.
 */
export const readSearchTerms = (typed: string): readonly SearchTerm[] => {
  const found = [...typed.matchAll(PART)].slice(0, MAX_TERMS);
  return found.flatMap(([, quoted, word = ""], index) => {
    const text = quoted ?? word;
    if (!WORD.test(text)) return [];
    const isLast = index === found.length - 1;
    return [{ text, isPrefix: quoted === undefined && isLast && !/\s$/u.test(typed) && text.length >= MIN_PREFIX }];
  });
};

const PART = /"([^"]*)"|([^\s"]+)/gu;
const WORD = /[\p{L}\p{N}]/u;
