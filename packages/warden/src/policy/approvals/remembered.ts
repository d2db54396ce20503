/** What was worked out of a text, for texts that come again: a talk is sent whole with each of its turns. */

/** What an agent is given of its brain is shorter. Longer ones are rare: they are worked out each time. */
const MAX_LENGTH = 64 * 1024;
/** Characters of one generation. There are two: what was asked for in neither is forgotten. */
const MAX_CHARACTERS = 1024 * 1024;

/** The same function, quicker for a text that it was asked for lately. `work` must give the same for the same text, always. */
export const remembered = (work: (text: string) => string, maxCharacters = MAX_CHARACTERS): typeof work => {
  let young = new Map<string, string>();
  let old: ReadonlyMap<string, string> = young;
  let characters = 0;

  const keep = (text: string, result: string): string => {
    if (characters > maxCharacters) {
      old = young;
      young = new Map();
      characters = 0;
    }
    young.set(text, result);
    characters += text.length + result.length;
    return result;
  };

  return (text) => {
    if (text.length > MAX_LENGTH) return work(text);
    return young.get(text) ?? keep(text, old.get(text) ?? work(text));
  };
};
