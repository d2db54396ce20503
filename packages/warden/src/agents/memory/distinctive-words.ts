/**
 * Extracts the words by which a text can be recognised in another text that repeats it in part:
 * passages, numbers and names. Paraphrases are not recognised.
 */

/** Matches a word. In scripts without spaces, each letter counts as a word. */
const WORD = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]|[\p{L}\p{N}\p{M}]+/gu;
/** Matches words that belong together: addresses, numbers with points, names with hyphens. */
const JOINED_WORDS = /[\p{L}\p{N}\p{M}]+(?:[-_.@/:'’+#][\p{L}\p{N}\p{M}]+)*/gu;
/** Minimum length of a passage that is specific enough. */
const MIN_PASSAGE_LENGTH = 20;
const MIN_PASSAGE_WORDS = 4;
/** Minimum length of a number or a name that is specific enough. */
const MIN_SPECIFIC_LENGTH = 4;
const MIN_CONTENT_WORD_LENGTH = 3;
/** Matches years, days and times, which are not specific enough. */
const DATES_AND_TIMES = /^(?:(?:19|20)\d\d|(?:19|20)\d\d-\d\d?(?:-\d\d?)?|\d{1,2}:\d\d(?::\d\d)?)$/;

/** Normalises number notation: 4,711 becomes 4711. */
const normalizeNumbers = (text: string): string => text.normalize("NFKC").replace(/(\d),(?=\d{3}(?!\d))/g, "$1");

export const wordsIn = (text: string): readonly string[] => normalizeNumbers(text).toLowerCase().match(WORD) ?? [];

/** Returns the words with a digit that are specific on their own: 4711, AB-123, 1.2.3. */
export const numbersIn = (text: string): ReadonlySet<string> => {
  const joinedWords = normalizeNumbers(text).toLowerCase().match(JOINED_WORDS) ?? [];
  const parts = joinedWords.flatMap((word) =>
    DATES_AND_TIMES.test(word) ? [] : [word, ...word.split(/[^\p{L}\p{N}\p{M}]+/u)],
  );
  return new Set(
    parts.filter((word) => word.length >= MIN_SPECIFIC_LENGTH && /\d/.test(word) && !DATES_AND_TIMES.test(word)),
  );
};

/** Returns names: words with a capital letter within a sentence. */
export const namesIn = (text: string): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [, name = ""] of text.normalize("NFKC").matchAll(NAME))
    if (name.length >= MIN_SPECIFIC_LENGTH) names.add(name.toLowerCase());
  return names;
};

/** Matches a name, which follows a word of the same line, with at most a comma between them. */
const NAME = /(?<=[\p{L}\p{N}\p{M}],? )(\p{Lu}[\p{L}\p{M}]+)/gu;

/** Returns the content words of a short text. */
export const contentWordsIn = (text: string): readonly string[] => [
  ...new Set(
    wordsIn(text).filter(
      (word) => /\d/.test(word) || (word.length >= MIN_CONTENT_WORD_LENGTH && !FUNCTION_WORDS.has(word)),
    ),
  ),
];

/** Function words of English, the most common language of notes. */
const FUNCTION_WORDS = new Set(
  (
    "the and for but not you your yours his her hers its our ours their they them this that these those was were are has had have been being will would " +
    "can could shall should may might must does did done with from into onto about what which who whom whose when where why how there here then than " +
    "now yes please thanks thank okay just also very too any all some more most one got get let"
  ).split(" "),
);

/** Whether the fact is short and has content words. */
export const isShortFact = (fact: string): boolean =>
  fact.length < MIN_PASSAGE_LENGTH && findRequiredWords(fact) !== undefined;

/** Whether a line holds all words of one of these short facts, in any order. */
export const containsShortFact = (facts: readonly string[]): ((line: string) => boolean) => {
  const requiredWords = facts.flatMap((fact) => (isShortFact(fact) ? [findRequiredWords(fact) ?? []] : []));
  return (line) => {
    if (requiredWords.length === 0) return false;
    const lineWords = new Set(wordsIn(line));
    return requiredWords.some((required) => required.every((word) => lineWords.has(word)));
  };
};

/**
 * Returns the words that a line must contain, or undefined if the fact is not specific: a single
 * word is specific only if it is a number.
 */
const findRequiredWords = (fact: string): readonly string[] | undefined => {
  const content = contentWordsIn(fact);
  return content.length > 1 || numbersIn(fact).size > 0 ? content : undefined;
};

/** Returns the shortest passages that are specific enough. */
const passagesIn = function* (words: readonly string[]): Generator<string> {
  for (let from = 0; from + MIN_PASSAGE_WORDS <= words.length; from += 1) {
    let to = from + MIN_PASSAGE_WORDS;
    let stretch = words.slice(from, to).join(" ");
    for (; stretch.length < MIN_PASSAGE_LENGTH && to < words.length; to += 1) stretch += ` ${words[to]}`;
    if (stretch.length >= MIN_PASSAGE_LENGTH) yield stretch;
  }
};

/**
 * Whether a text derives from given texts. `isKnown` returns whether other texts
 * mention a name. Such a name is not evidence.
 */
export type TextMatch = (text: string, isKnown?: (name: string) => boolean) => boolean;

/** Returns the predicate for long texts. A text that is a piece of one of them matches too. */
export const createTextMatch = (texts: readonly string[]): TextMatch => {
  const [passages, numbers, names] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const wholeTexts: string[] = [];
  for (const text of new Set(texts)) {
    const words = wordsIn(text);
    wholeTexts.push(` ${words.join(" ")} `);
    for (const stretch of passagesIn(words)) passages.add(stretch);
    for (const number of numbersIn(text)) numbers.add(number);
    for (const name of namesIn(text)) names.add(name);
  }
  const hasShortFact = containsShortFact(texts);
  return (text, isKnown = () => false) => {
    const words = wordsIn(text);
    if (words.length > 1 && wholeTexts.some((passage) => passage.includes(` ${words.join(" ")} `))) return true;
    for (const stretch of passagesIn(words)) if (passages.has(stretch)) return true;
    for (const number of numbersIn(text)) if (numbers.has(number)) return true;
    if (words.some((word) => names.has(word) && !isKnown(word))) return true;
    return text.split("\n").some(hasShortFact);
  };
};
