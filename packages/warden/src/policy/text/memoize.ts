/** A cache of computed texts, because each turn sends the whole conversation again. */

/** Maximum length of a cached text. Longer texts are rare and are computed each time. */
const MAX_LENGTH = 64 * 1024;
/**
 * Maximum number of characters per generation. There are two generations. A text that is not used
 * for one generation is evicted.
 */
const MAX_CHARACTERS = 1024 * 1024;

/** Memoizes a function of text. `compute` must always return the same result for the same text. */
export const memoize = (compute: (text: string) => string, maxCharacters = MAX_CHARACTERS): typeof compute => {
  let currentResults = new Map<string, string>();
  let previousResults: ReadonlyMap<string, string> = currentResults;
  let characterCount = 0;

  const storeResult = (text: string, result: string): string => {
    if (characterCount > maxCharacters) {
      previousResults = currentResults;
      currentResults = new Map();
      characterCount = 0;
    }
    currentResults.set(text, result);
    characterCount += text.length + result.length;
    return result;
  };

  return (text) => {
    if (text.length > MAX_LENGTH) return compute(text);
    return currentResults.get(text) ?? storeResult(text, previousResults.get(text) ?? compute(text));
  };
};
