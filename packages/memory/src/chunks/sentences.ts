/** Splits a text into sentences, each of which gets a vector. */

/** A shorter sentence ("Wow!", "Yes.") means too little alone and is joined to its neighbour. */
const MIN_LENGTH = 20;

/**
 * Returns the sentences in order. Joined by spaces they equal the text up to white space. None is
 * empty.
 */
export const toSentences = (text: string): readonly string[] => {
  const parts = text
    .split(/(?<=[.!?…。！？])\s+|\n+/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const sentences: string[] = [];
  for (const part of parts) {
    const before = sentences.at(-1);
    if (before !== undefined && before.length < MIN_LENGTH) sentences[sentences.length - 1] = `${before} ${part}`;
    else sentences.push(part);
  }
  const last = sentences.at(-1);
  if (sentences.length > 1 && last !== undefined && last.length < MIN_LENGTH) {
    sentences.splice(-2, 2, `${sentences.at(-2) ?? ""} ${last}`);
  }
  return sentences;
};
