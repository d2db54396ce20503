/** Parses the text that a person types into a search box. Pure. */

export interface SearchTerm {
  /** A word, or several words that follow each other. */
  readonly text: string;
  /** Whether the text may be the beginning of a longer word. */
  readonly isPrefix: boolean;
}

/** Maximum number of terms of one query. More terms cost time and add little. */
const MAX_TERMS = 16;
/** Minimum length of the beginning of a word. Shorter ones match too many words. */
const MIN_PREFIX_LENGTH = 3;

/**
 * Returns words and "quoted phrases", all of which must match. The last word may be incomplete.
 * Text without a letter or a digit is left out.
 */
export const readSearchTerms = (typed: string): readonly SearchTerm[] => {
  const parts = [...typed.matchAll(PART)].slice(0, MAX_TERMS);
  return parts.flatMap(([, quoted, word = ""], index) => {
    const text = quoted ?? word;
    if (!WORD.test(text)) return [];
    const isLast = index === parts.length - 1;
    const isIncomplete = quoted === undefined && isLast && !/\s$/u.test(typed);
    return [{ text, isPrefix: isIncomplete && text.length >= MIN_PREFIX_LENGTH }];
  });
};

const PART = /"([^"]*)"|([^\s"]+)/gu;
const WORD = /[\p{L}\p{N}]/u;
