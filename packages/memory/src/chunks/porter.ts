/** Porter's stemmer of 1980, unmodified: maps English words of one family to one term. */

const CONSONANT = "[^aeiou]";
const VOWEL = "[aeiouy]";
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
/** The measure of a stem is the number of vowel-consonant sequences in it. */
const ABOVE_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const EXACTLY_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const ABOVE_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`);
const ENDS_SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);
const DOUBLE_CONSONANT = /([^aeiouylsz])\1$/;

type Ending = readonly [ending: string, replacement: string];

const STEP_2: readonly Ending[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["abli", "able"],
  ["alli", "al"],
  ["ator", "ate"],
  ["eli", "e"],
];

const STEP_3: readonly Ending[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const STEP_4: readonly string[] = [
  ...["ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize"],
  ...["al", "er", "ic", "ou"],
];

/** Maximum length of a word that is stemmed. */
const MAX_WORD_LENGTH = 60;

/** Stems a lower-case word. A word with characters other than a to z stays unchanged. */
export const toStem = (word: string): string => {
  if (word.length < 3 || word.length > MAX_WORD_LENGTH || !/^[a-z]+$/.test(word)) return word;
  // An initial y is a consonant. The capital hides it from the patterns.
  const guarded = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  return dropFinalE(
    dropSuffix(replaceEnding(replaceEnding(replaceFinalY(removePastEnding(removePlural(guarded))), STEP_2), STEP_3)),
  )
    .replace(/ll$/, (end, _at, stem: string) => (ABOVE_1.test(stem.slice(0, -1)) ? "l" : end))
    .toLowerCase();
};

const removePlural = (word: string): string => {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
};

const removePastEnding = (word: string): string => {
  if (word.endsWith("eed")) return ABOVE_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const stem = /^(.+?)(ed|ing)$/.exec(word)?.[1];
  if (stem === undefined || !HAS_VOWEL.test(stem)) return word;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE_CONSONANT.test(stem)) return stem.slice(0, -1);
  return ENDS_SHORT.test(stem) ? `${stem}e` : stem;
};

const replaceFinalY = (word: string): string => {
  const stem = word.slice(0, -1);
  return word.endsWith("y") && HAS_VOWEL.test(stem) ? `${stem}i` : word;
};

const replaceEnding = (word: string, endings: readonly Ending[]): string => {
  const match = endings.find(([ending]) => word.endsWith(ending));
  if (match === undefined) return word;
  const stem = word.slice(0, -match[0].length);
  return ABOVE_0.test(stem) ? stem + match[1] : word;
};

const dropSuffix = (word: string): string => {
  const suffix = STEP_4.find((ending) => word.endsWith(ending));
  if (suffix !== undefined) {
    const stem = word.slice(0, -suffix.length);
    return ABOVE_1.test(stem) ? stem : word;
  }
  const stem = /^(.*[st])ion$/.exec(word)?.[1];
  return stem !== undefined && ABOVE_1.test(stem) ? stem : word;
};

const dropFinalE = (word: string): string => {
  if (!word.endsWith("e")) return word;
  const stem = word.slice(0, -1);
  return ABOVE_1.test(stem) || (EXACTLY_1.test(stem) && !ENDS_SHORT.test(stem)) ? stem : word;
};
