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

const BYTE_BITS = 8;
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

export const mostOf = (vector: Float32Array): number => {
  let most = 0;
  for (let index = 0; index < vector.length; index += 1) most = Math.max(most, Math.abs(vector[index] ?? 0));
  return most;
};

/** One bit for each number: whether it is above zero. Writes as many bytes as that takes, from `at` on; what is there behind them stays. */
export const writeSignature = (numbers: Int16Array, memory: Uint8Array, at: number): void => {
  for (let first = 0; first < numbers.length; first += BYTE_BITS) {
    let byte = 0;
    for (let bit = 0; bit < BYTE_BITS; bit += 1) byte |= Number((numbers[first + bit] ?? 0) > 0) << bit;
    memory[at + first / BYTE_BITS] = byte;
  }
};

const BYTE_VALUES = 256;

/**
 * What each byte of a signature may say, byte by byte 256 numbers: an eighth of the question's numbers, each added where the bit is set and taken off
 * where it is not. Summed up, they are to a signature what the product is to the vector itself.
 */
export const toWeights = (question: Int16Array, weights: Int16Array): void => {
  const sums = new Int32Array(BYTE_VALUES);
  for (let at = 0; at * BYTE_VALUES < weights.length; at += 1) {
    sums[0] = 0;
    for (let bit = 0; bit < BYTE_BITS; bit += 1) sums[0] -= question[at * BYTE_BITS + bit] ?? 0;
    weights[at * BYTE_VALUES] = sums[0] >> 3;
    for (let value = 1; value < BYTE_VALUES; value += 1) {
      const lowest = 31 - Math.clz32(value & -value);
      sums[value] = (sums[value & (value - 1)] ?? 0) + 2 * (question[at * BYTE_BITS + lowest] ?? 0);
      weights[at * BYTE_VALUES + value] = (sums[value] ?? 0) >> 3;
    }
  }
};
