/** Splits a text into sentences, each of which gets a vector. */

/**
 * Minimum length of a sentence. A shorter one ("Wow!", "Yes.") means too little alone and is joined
 * to its neighbour.
 */
const MIN_SENTENCE_LENGTH = 20;

/**
 * Returns the sentences in order. No sentence is empty. Joined by spaces, they equal the text
 * except for white space.
 */
export const toSentences = (text: string): readonly string[] => {
  const parts = text
    .split(/(?<=[.!?…。！？])\s+|\n+/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const sentences: string[] = [];
  for (const part of parts) {
    const previous = sentences.at(-1);
    if (previous !== undefined && previous.length < MIN_SENTENCE_LENGTH)
      sentences[sentences.length - 1] = `${previous} ${part}`;
    else sentences.push(part);
  }
  const lastSentence = sentences.at(-1);
  if (sentences.length > 1 && lastSentence !== undefined && lastSentence.length < MIN_SENTENCE_LENGTH) {
    sentences.splice(-2, 2, `${sentences.at(-2) ?? ""} ${lastSentence}`);
  }
  return sentences;
};
