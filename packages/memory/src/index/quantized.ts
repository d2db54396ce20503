/**
 * Quantizes vectors to 8 bits per number with one scale, or to signatures of 1 bit. Questions keep
 * 16 bits.
 */

export interface QuantizedVector {
  readonly bytes: Int8Array;
  /** Factor to multiply each byte by. */
  readonly scale: number;
}

export interface QuantizedQuestion {
  readonly numbers: Int16Array;
  /** Factor to multiply each number by. */
  readonly scale: number;
}

const BYTE_BITS = 8;
const MAX_BYTE = 127;
const MAX_QUESTION_NUMBER = 32_767;
const MAX_SUM = 2 ** 31 - 1;

// Loops, because `from` with a function is ten times slower.

export const quantize = (vector: Float32Array): QuantizedVector => {
  const scale = maxMagnitude(vector) / MAX_BYTE || 1;
  const bytes = new Int8Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) bytes[index] = Math.round((vector[index] ?? 0) / scale);
  return { bytes, scale: Math.fround(scale) };
};

/**
 * Quantizes a question as finely as possible, so that no product exceeds 31 bits. The error is far
 * below that of 8-bit vectors.
 */
export const quantizeQuestion = (vector: Float32Array): QuantizedQuestion => {
  const finest = Math.min(MAX_QUESTION_NUMBER, Math.floor(MAX_SUM / (MAX_BYTE * Math.max(1, vector.length))));
  const scale = maxMagnitude(vector) / finest || 1;
  const numbers = new Int16Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) numbers[index] = Math.round((vector[index] ?? 0) / scale);
  return { numbers, scale };
};

export const maxMagnitude = (vector: Float32Array): number => {
  let maximum = 0;
  for (let index = 0; index < vector.length; index += 1) maximum = Math.max(maximum, Math.abs(vector[index] ?? 0));
  return maximum;
};

/**
 * Writes one bit per number, set if it is positive, from `at` on. Bytes after the signature are
 * unchanged.
 */
export const writeSignature = (numbers: Int16Array, memory: Uint8Array, at: number): void => {
  for (let start = 0; start < numbers.length; start += BYTE_BITS) {
    let byte = 0;
    for (let bit = 0; bit < BYTE_BITS; bit += 1) byte |= Number((numbers[start + bit] ?? 0) > 0) << bit;
    memory[at + start / BYTE_BITS] = byte;
  }
};

const BYTE_VALUES = 256;

/**
 * Fills a table of 256 weights per signature byte: an eighth of the sum of the question's numbers,
 * added where the bit is set and subtracted where it is not. The sum over a signature approximates
 * the product with the vector.
 */
export const toWeights = (question: Int16Array, weights: Int16Array): void => {
  const sums = new Int32Array(BYTE_VALUES);
  for (let index = 0; index * BYTE_VALUES < weights.length; index += 1) {
    sums[0] = 0;
    for (let bit = 0; bit < BYTE_BITS; bit += 1) sums[0] -= question[index * BYTE_BITS + bit] ?? 0;
    weights[index * BYTE_VALUES] = sums[0] >> 3;
    for (let value = 1; value < BYTE_VALUES; value += 1) {
      const lowest = 31 - Math.clz32(value & -value);
      sums[value] = (sums[value & (value - 1)] ?? 0) + 2 * (question[index * BYTE_BITS + lowest] ?? 0);
      weights[index * BYTE_VALUES + value] = (sums[value] ?? 0) >> 3;
    }
  }
};
