/**
 * An embedder for tests without a model. Each word has a random direction, and a text is the sum of
 * its words.
 */
import { HearthError } from "@hearth/protocol";
import type { Embedder } from "./embedder.ts";
import { toUnit } from "./unit.ts";

const DIMENSIONS = 96;

export const createFakeEmbedder = ({ name = "fake", dimensions = DIMENSIONS } = {}): Embedder => ({
  name,
  dimensions,
  batchSize: 1,
  embed(texts, signal) {
    return signal?.aborted === true
      ? Promise.reject(new HearthError("memory.aborted", "Embedding was stopped."))
      : Promise.resolve(texts.map((text) => embedOne(text, dimensions)));
  },
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

const embedOne = (text: string, dimensions: number): Float32Array => {
  const sum = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) addWord(sum, word);
  return toUnit(sum);
};

/** Adds the direction of a word. FNV-1a of the word seeds xorshift32, which generates the numbers. */
const addWord = (sum: Float32Array, word: string): void => {
  let state = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) state = Math.imul(state ^ word.charCodeAt(index), 0x01000193);
  for (let index = 0; index < sum.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    sum[index] = (sum[index] ?? 0) + (state | 0) / 2 ** 31;
  }
};
