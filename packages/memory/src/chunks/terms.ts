/** Words as they are compared: folded, stemmed, and without those that every text has. */
import { toStem } from "./porter.ts";

/** Words that say nothing about what a text is about. Left out of questions; an index may keep them, as nobody asks for them. */
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
 * The words of a text, in order, each as often as it stands there: lower case, accents folded, English endings off, without
 * stop words. A question that is made of stop words alone keeps them: it asks for something.
 */
export const toTerms = (text: string, stem: Stem = toStem): readonly string[] => {
  const words = toWords(text);
  const terms: string[] = [];
  for (const word of words) if (!STOP_WORDS.has(word)) terms.push(stem(word));
  return terms.length === 0 ? words.map((word) => stem(word)) : terms;
};

type Stem = (word: string) => string;

/** A stemmer that remembers what it has done: texts are made of the same words. */
export const createStems = (): Stem => {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const stem = toStem(word);
    if (known.size < KEPT_STEMS) known.set(word, stem);
    return stem;
  };
};

/** More words than people have, and a few megabytes. */
const KEPT_STEMS = 30_000;

/** Lower-case words without accents; of "Anna's" the name alone. Figures are words. */
export const toWords = (text: string): readonly string[] =>
  // The same for plain English, in a third of the time.
  (ASCII.test(text)
    ? text.toLowerCase().match(/[a-z0-9]+/g)
    : text
        .normalize("NFKD")
        .replace(/\p{Mn}/gu, "")
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)) ?? [];

const ASCII = /^[\x20-\x7e\s]*$/;
