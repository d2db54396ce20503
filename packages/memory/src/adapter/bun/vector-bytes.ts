/**
 * The format of stored vectors: a checksum, then each vector as a scale of four bytes and one byte,
 * or half a byte, per number.
 */
import type { ChunkVectors, Similarity } from "../../index/chunk-index.ts";
import { type CoarseVector, coarseBytes } from "../../index/coarse.ts";
import type { Comparer } from "../../index/comparer.ts";
import { type QuantizedVector, quantize } from "../../index/quantized.ts";
import { dot } from "../../retrieval/scale.ts";

const CHECKSUM_BYTES = 4;
const SCALE_BYTES = 4;

export const coarseToBytes = ({ nibbles, scale }: CoarseVector): Uint8Array => toBytes([{ bytes: nibbles, scale }]);

interface ScaledVector {
  readonly bytes: Uint8Array | Int8Array;
  readonly scale: number;
}

const toBytes = (vectors: readonly ScaledVector[]): Uint8Array => {
  const bytes = new Uint8Array(
    vectors.reduce((sum, vector) => sum + SCALE_BYTES + vector.bytes.length, CHECKSUM_BYTES),
  );
  const view = new DataView(bytes.buffer);
  let offset = CHECKSUM_BYTES;
  for (const { bytes: numbers, scale } of vectors) {
    view.setFloat32(offset, scale, true);
    bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length), offset + SCALE_BYTES);
    offset += SCALE_BYTES + numbers.length;
  }
  view.setUint32(0, Bun.hash.crc32(bytes.subarray(CHECKSUM_BYTES)), true);
  return bytes;
};

/** Returns the number of bytes from one vector to the next: a scale and the numbers. */
const toStride = (size: number): number => SCALE_BYTES + size;

/**
 * Returns the number of vectors of `size` bytes each. Throws a RangeError if the checksum is wrong.
 */
const checkBytes = (stored: Uint8Array, size: number): number => {
  const bytes = stored.subarray(CHECKSUM_BYTES);
  const storedChecksum =
    stored.length < CHECKSUM_BYTES ? -1 : new DataView(stored.buffer, stored.byteOffset).getUint32(0, true);
  const count = bytes.length / toStride(size);
  if (!Number.isInteger(count) || Bun.hash.crc32(bytes) !== storedChecksum) {
    throw new RangeError("The checksum of a chunk's vectors is wrong.");
  }
  return count;
};

/** Decodes a coarse vector. Throws a RangeError if it is damaged. */
export const coarseFromBytes = (stored: Uint8Array, dimensions: number): CoarseVector => {
  if (checkBytes(stored, coarseBytes(dimensions)) !== 1) throw new RangeError("The vector of a chunk is missing.");
  return { scale: scaleAt(stored, CHECKSUM_BYTES), nibbles: stored.subarray(CHECKSUM_BYTES + SCALE_BYTES) };
};

const scaleAt = (stored: Uint8Array, at: number): number =>
  new DataView(stored.buffer, stored.byteOffset, stored.length).getFloat32(at, true);

/**
 * Positions of the fine vectors: the residual of the coarse vector is at 0, `withPrevious` and
 * `window` follow, and then the sentences.
 */
const [WITH_PREVIOUS_INDEX, FIRST_SENTENCE_INDEX] = [1, 3] as const;

/** Encodes all vectors of a chunk except the coarse one. */
export const fineToBytes = (residual: QuantizedVector, { withPrevious, window, sentences }: ChunkVectors): Uint8Array =>
  toBytes([residual, ...[withPrevious, window, ...sentences].map(quantize)]);

/**
 * Adds the remainders, as written by `fineToBytes`, to coarse vectors in place. Throws a RangeError
 * if they are damaged.
 */
export const addResiduals = (coarse: readonly Float32Array[], stored: readonly Uint8Array[]): void => {
  for (const [index, vector] of coarse.entries()) {
    const bytes = stored[index] ?? EMPTY;
    if (checkBytes(bytes, vector.length) < FIRST_SENTENCE_INDEX)
      throw new RangeError("The vectors of a chunk are missing.");
    const scale = scaleAt(bytes, CHECKSUM_BYTES);
    const residual = new Int8Array(bytes.buffer, bytes.byteOffset + CHECKSUM_BYTES + SCALE_BYTES, vector.length);
    for (let index = 0; index < vector.length; index += 1)
      vector[index] = (vector[index] ?? 0) + (residual[index] ?? 0) * scale;
  }
};

const EMPTY = new Uint8Array(0);

interface ComparisonInput {
  /** The refined vector of each chunk, and its stored bytes. */
  readonly chunks: readonly { readonly whole: Float32Array; readonly stored: Uint8Array }[];
  readonly questions: readonly Float32Array[];
  readonly dimensions: number;
  readonly comparer: Comparer;
}

/** Returns the cosines of each chunk's vectors with each question. */
export const similaritiesOf = (input: ComparisonInput): readonly (readonly Similarity[])[] => {
  const { chunks, questions, dimensions, comparer } = input;
  const counts = chunks.map(({ stored }) => (stored.length - CHECKSUM_BYTES) / toStride(dimensions));
  comparer.setQuestions(questions);
  const cosines = comparer.compare(
    chunks.map(({ stored }) => stored),
    CHECKSUM_BYTES,
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  let from = 0;
  return chunks.map(({ whole }, chunkIndex) => {
    const start = from;
    from += counts[chunkIndex] ?? 0;
    return questions.map((question, questionIndex): Similarity => {
      const [at, end] = [questionIndex * total + start, questionIndex * total + from];
      let sentence = Number.NaN;
      for (let index = at + FIRST_SENTENCE_INDEX; index < end; index += 1) {
        const cosine = cosines[index] ?? 0;
        if (!(cosine <= sentence)) sentence = cosine;
      }
      const [withPrevious = 0, window = 0] = [cosines[at + WITH_PREVIOUS_INDEX], cosines[at + WITH_PREVIOUS_INDEX + 1]];
      return { whole: dot(whole, question), withPrevious, window, sentence };
    });
  });
};
