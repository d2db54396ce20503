/** Normalizes words for comparison: case and accents folded, stemmed, without stop words. */
import { toStem } from "./porter.ts";

/** Words without topical meaning. They are left out of the terms of texts and questions. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    "a an the and or but if then else of to in on at by for with from into onto about as than that this these those it its",
    "is are was were be been being am do does did done doing have has had having will would shall should can could may might must",
    "i me my mine we us our ours you your yours he him his she her hers they them their theirs who whom whose which what when where why how",
    "not no nor so such there here too very just also any some all each both few more most other own same up down out off over under again further once during",
    "s t d ll m re ve don didn doesn isn wasn won",
  ]
    .join(" ")
    .split(" "),
);

/**
 * Returns the terms of a text, in order and with repetitions: lower case, without accents, English
 * endings and stop words. A text of only stop words keeps them, so that such a question has terms.
 */
export const toTerms = (text: string, stem: Stemmer = toStem): readonly string[] => {
  const words = toWords(text);
  const terms: string[] = [];
  for (const word of words) if (!STOP_WORDS.has(word)) terms.push(stem(word));
  return terms.length === 0 ? words.map((word) => stem(word)) : terms;
};

type Stemmer = (word: string) => string;

/** Creates a stemmer with a cache, because texts repeat the same words. */
export const createCachedStemmer = (): Stemmer => {
  const stems = new Map<string, string>();
  return (word) => {
    const cached = stems.get(word);
    if (cached !== undefined) return cached;
    const stem = toStem(word);
    if (stems.size < MAX_CACHED_STEMS) stems.set(word, stem);
    return stem;
  };
};

/** Maximum number of cached stems. It is larger than most vocabularies, and takes a few megabytes. */
const MAX_CACHED_STEMS = 30_000;

/** Returns lower-case words without accents. Numbers are words; "Anna's" gives "anna" and "s". */
export const toWords = (text: string): readonly string[] =>
  // ASCII has a faster path with the same result.
  (ASCII.test(text)
    ? text.toLowerCase().match(/[a-z0-9]+/g)
    : text
        .normalize("NFKD")
        .replace(/\p{Mn}/gu, "")
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)) ?? [];

const ASCII = /^[\x20-\x7e\s]*$/;
