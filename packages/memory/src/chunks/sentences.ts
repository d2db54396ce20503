/** The sentences of a text, for vectors of what is said one thing at a time. */

/** Below this a sentence says too little to stand alone ("Wow!", "Yes.") and goes with its neighbour. */
const SHORTEST = 20;

/** In order; joined by spaces they are the text again, up to white space. Never empty strings; none for a blank text. */
export const toSentences = (text: string): readonly string[] => {
  const parts = text
    .split(/(?<=[.!?…。！？])\s+|\n+/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const sentences: string[] = [];
  for (const part of parts) {
    const before = sentences.at(-1);
    if (before !== undefined && before.length < SHORTEST) sentences[sentences.length - 1] = `${before} ${part}`;
    else sentences.push(part);
  }
  const last = sentences.at(-1);
  if (sentences.length > 1 && last !== undefined && last.length < SHORTEST) {
    sentences.splice(-2, 2, `${sentences.at(-2) ?? ""} ${last}`);
  }
  return sentences;
};
