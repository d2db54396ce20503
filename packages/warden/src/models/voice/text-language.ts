/** Recognizes the language of a text, so that a speaker reads it with a voice of that language. */

/** The languages that can be recognized. The fewer there are, the shorter a text may be. */
const LANGUAGES = [
  ...["ar", "da", "de", "el", "en", "es", "fa", "fr", "he", "hi", "it", "ja"],
  ...["ko", "nl", "pl", "pt", "ru", "sv", "th", "tr", "uk", "zh"],
];

/** Scripts of one language, in this order, which decide for a text that is too short for the library. */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["ko", /\p{Script=Hangul}/u],
  ["zh", /\p{Script=Han}/u],
  ["el", /\p{Script=Greek}/u],
  ["he", /\p{Script=Hebrew}/u],
  ["hi", /\p{Script=Devanagari}/u],
  ["th", /\p{Script=Thai}/u],
];

/** Length of the beginning that is read, in UTF-16 code units. */
const MAX_READ_LENGTH = 2_000;

/**
 * Returns a function that returns the language as a two-letter code, or undefined if the text is
 * too short or mixed. RFD 0043 compares libraries.
 */
export const loadLanguageDetector = async (): Promise<(text: string) => string | undefined> => {
  const { eld } = await import("eld/extrasmall");
  eld.setLanguageSubset(LANGUAGES);
  return (text) => {
    const beginning = text.slice(0, MAX_READ_LENGTH).toWellFormed();
    const detection = eld.detect(beginning);
    if (detection.isReliable()) return detection.language;
    const latinCount = beginning.match(/\p{Script=Latin}/gu)?.length ?? 0;
    const letterCount = beginning.match(/\p{L}/gu)?.length ?? 0;
    // A text with mostly Latin letters may quote a word in another script.
    return latinCount * 2 < letterCount ? SCRIPTS.find(([, pattern]) => pattern.test(beginning))?.[0] : undefined;
  };
};
