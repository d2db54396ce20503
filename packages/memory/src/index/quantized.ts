/** Vectors as bytes: 8 bits a number and one scale, and as signatures of one bit a number. Questions keep 16 bits. */

export interface Quantized {
  readonly bytes: Int8Array;
  /** What a byte is to be multiplied with. */
  readonly scale: number;
}

export interface QuantizedQuestion {
  readonly numbers: Int16Array;
  /** What a number is to be multiplied with. */
  readonly scale: number;
}

const MOST = 127;
const MOST_ASKED = 32_767;
const MOST_SUM = 2 ** 31 - 1;

// Loops, and not `from` with a function, which costs ten times as much.

export const quantize = (vector: Float32Array): Quantized => {
  const scale = mostOf(vector) / MOST || 1;
  const bytes = new Int8Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) bytes[index] = Math.round((vector[index] ?? 0) / scale);
  return { bytes, scale: Math.fround(scale) };
};

/** So fine that what it loses is nothing beside what a vector of bytes has lost, and so coarse that no product of both is above 31 bits. */
export const quantizeQuestion = (vector: Float32Array): QuantizedQuestion => {
  const finest = Math.min(MOST_ASKED, Math.floor(MOST_SUM / (MOST * Math.max(1, vector.length))));
  const scale = mostOf(vector) / finest || 1;
  const numbers = new Int16Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) numbers[index] = Math.round((vector[index] ?? 0) / scale);
  return { numbers, scale };
};

const mostOf = (vector: Float32Array): number => {
  let most = 0;
  for (let index = 0; index < vector.length; index += 1) most = Math.max(most, Math.abs(vector[index] ?? 0));
  return most;
};

/** One after the other in one piece of memory: many pieces cost more than what is in them. */
export const restoreAll = (vectors: readonly Quantized[], dimensions: number): readonly Float32Array[] => {
  const numbers = new Float32Array(vectors.length * dimensions);
  let at = 0;
  for (const { bytes, scale } of vectors) {
    for (let index = 0; index < dimensions; index += 1) numbers[at + index] = (bytes[index] ?? 0) * scale;
    at += dimensions;
  }
  return vectors.map((_, which) => numbers.subarray(which * dimensions, (which + 1) * dimensions));
};

/** One bit for each number: whether it is above zero. */
export const toSignature = (bytes: Int8Array | Int16Array, signature: Uint8Array): void => {
  signature.fill(0);
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] ?? 0) > 0) signature[index >> 3] = (signature[index >> 3] ?? 0) | (1 << (index & 7));
  }
};
