/**
 * Chooses the results of a search in memories. `recall` returns the nearest facts to any query, but a person who
 * searches for a word expects facts with this word.
 */
/** The parts of a recalled fact that the choice needs. */
export interface RecalledText {
  readonly headings: readonly string[];
  readonly text: string;
  /** The components of its score. */
  readonly parts: Readonly<Record<string, number>>;
}

/** A query of this many words may be a question, which the meaning of a fact can answer. */
const MIN_QUESTION_WORDS = 3;
/** Number of facts that a question finds by meaning alone. */
const MAX_BY_MEANING = 3;
/** The part `meaning` of a score that is clearly above the one of unrelated facts. */
const MIN_MEANING = 1;
/** Minimum length of a word that matches a longer word. A shorter one begins too many words. */
const MIN_STEM_LENGTH = 4;

/**
 * Returns the facts that match the query, in their order. One or two words must be in the fact, also in a longer or
 * shorter form: `boiler` and `boilers`. More words are a question: it finds facts with its rare words, and the best
 * ones by meaning.
 */
export const selectHits = <Fact extends RecalledText>(query: string, facts: readonly Fact[]): readonly Fact[] => {
  const queryWords = wordsOf(query);
  if (queryWords.length < MIN_QUESTION_WORDS) return facts.filter((fact) => hasWord(fact, queryWords));
  let countByMeaning = 0;
  return facts.filter(({ parts: { words = 0, meaning = 0 } }) => {
    if (words > 0) return true;
    if (meaning < MIN_MEANING || countByMeaning === MAX_BY_MEANING) return false;
    countByMeaning += 1;
    return true;
  });
};

const hasWord = ({ headings, text }: RecalledText, queryWords: readonly string[]): boolean => {
  const words = wordsOf([...headings, text].join(" "));
  return queryWords.some((word) => words.some((factWord) => isSameWord(word, factWord)));
};

const wordsOf = (text: string): readonly string[] => [...new Set(fold(text).match(/[\p{L}\p{N}]+/gu))];

const isSameWord = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= MIN_STEM_LENGTH && (a.startsWith(b) || b.startsWith(a)));

/** Converts a text to lower case without accents. */
export const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
