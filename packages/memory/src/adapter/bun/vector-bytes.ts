/** Vectors as they lie in the index: a checksum, then for each vector a scale of four bytes and a byte for each number. */
import type { ChunkVectors, Likeness } from "../../index/chunk-index.ts";
import type { Comparer } from "../../index/comparer.ts";
import { type Quantized, quantize } from "../../index/quantized.ts";
import { dot } from "../../retrieval/scale.ts";

const CHECKSUM_BYTES = 4;
const SCALE_BYTES = 4;

export const toBytes = (vectors: readonly Quantized[]): Uint8Array => {
  const bytes = new Uint8Array(
    vectors.reduce((sum, vector) => sum + SCALE_BYTES + vector.bytes.length, CHECKSUM_BYTES),
  );
  const view = new DataView(bytes.buffer);
  let at = CHECKSUM_BYTES;
  for (const { bytes: numbers, scale } of vectors) {
    view.setFloat32(at, scale, true);
    bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length), at + SCALE_BYTES);
    at += SCALE_BYTES + numbers.length;
  }
  view.setUint32(0, Bun.hash.crc32(bytes.subarray(CHECKSUM_BYTES)), true);
  return bytes;
};

/** From one vector to the next: first its scale, then its bytes. */
const toStride = (dimensions: number): number => SCALE_BYTES + dimensions;

/** Gives how many they are. Throws a RangeError when they are not what was written. */
const checkBytes = (stored: Uint8Array, dimensions: number): number => {
  const bytes = stored.subarray(CHECKSUM_BYTES);
  const written =
    stored.length < CHECKSUM_BYTES ? -1 : new DataView(stored.buffer, stored.byteOffset).getUint32(0, true);
  const count = bytes.length / toStride(dimensions);
  if (!Number.isInteger(count) || Bun.hash.crc32(bytes) !== written) {
    throw new RangeError("The vectors of a chunk are not what was written.");
  }
  return count;
};

/** Throws a RangeError when they are not what was written. */
export const fromBytes = (stored: Uint8Array, dimensions: number): readonly Quantized[] => {
  const stride = toStride(dimensions);
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length);
  return Array.from({ length: checkBytes(stored, dimensions) }, (_, index) => {
    const at = CHECKSUM_BYTES + index * stride;
    const bytes = new Int8Array(stored.buffer, stored.byteOffset + at + SCALE_BYTES, dimensions);
    return { scale: view.getFloat32(at, true), bytes };
  });
};

/** The first two are of the chunk with what stands beside it. */
const BEFORE_SENTENCES = 2;

/** All but the one of the whole chunk. */
export const othersToBytes = ({ withPrevious, window, sentences }: ChunkVectors): Uint8Array =>
  toBytes([withPrevious, window, ...sentences].map(quantize));

interface ToCompare {
  readonly wholes: readonly Float32Array[];
  /** At the same places, as `othersToBytes` made them. */
  readonly stored: readonly Uint8Array[];
  readonly questions: readonly Float32Array[];
  readonly dimensions: number;
  readonly comparer: Comparer;
}

/** How like each of the questions each chunk is. Throws a RangeError when vectors are not what was written. */
export const likenessesOf = (asked: ToCompare): readonly (readonly Likeness[])[] => {
  const { wholes, stored, questions, dimensions, comparer } = asked;
  const counts = stored.map((bytes) => checkBytes(bytes, dimensions));
  if (counts.some((count) => count < BEFORE_SENTENCES)) throw new RangeError("The vectors of a chunk are missing.");
  comparer.ask(questions);
  const cosines = comparer.compare(stored, CHECKSUM_BYTES);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let from = 0;
  return wholes.map((whole, place) => {
    const first = from;
    from += counts[place] ?? 0;
    return questions.map((question, which): Likeness => {
      const [at, end] = [which * total + first, which * total + from];
      let sentence = Number.NaN;
      for (let next = at + BEFORE_SENTENCES; next < end; next += 1) {
        const cosine = cosines[next] ?? 0;
        if (!(cosine <= sentence)) sentence = cosine;
      }
      return { whole: dot(whole, question), withPrevious: cosines[at] ?? 0, window: cosines[at + 1] ?? 0, sentence };
    });
  });
};
