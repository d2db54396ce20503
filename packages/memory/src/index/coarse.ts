/**
 * Splits vectors into a coarse part of 4 bits per number, for searching many, and a remainder of 8
 * bits, for exact comparison of a few. Together they have 12 bits per number.
 */
import { maxMagnitude, type QuantizedVector, quantize } from "./quantized.ts";

/** Each number is a step from 0 to 15. Zero lies between the two middle steps. */
export interface CoarseVector {
  /** Each 32 numbers occupy 16 bytes: the low halves hold the first 16 numbers, and the high halves the other 16. */
  readonly nibbles: Uint8Array;
  /** The size of one step. */
  readonly scale: number;
}

export interface SplitVector {
  readonly coarse: CoarseVector;
  readonly residual: QuantizedVector;
}

/** The position of zero between the steps. */
export const MIDDLE = 7.5;
const MAX_STEP = 15;
const HALF_BITS = 4;
const SIGNATURE_BYTES = 4;
/** Numbers that share 16 bytes. */
export const GROUP = 32;
const GROUP_BYTES = 16;
const [LOWER_SIGN, UPPER_SIGN] = [3, 7] as const;

export const coarseBytes = (dimensions: number): number => Math.ceil(dimensions / GROUP) * GROUP_BYTES;

export const splitVector = (vector: Float32Array): SplitVector => {
  const scale = Math.fround(maxMagnitude(vector) / MIDDLE);
  const nibbles = new Uint8Array(coarseBytes(vector.length));
  const residual = new Float32Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) {
    const value = vector[index] ?? 0;
    const step = scale === 0 ? 0 : Math.max(0, Math.min(MAX_STEP, Math.round(value / scale + MIDDLE)));
    residual[index] = value - (step - MIDDLE) * scale;
    const address = byteOf(index);
    nibbles[address] = (nibbles[address] ?? 0) | (step << shiftOf(index));
  }
  return { coarse: { nibbles, scale }, residual: quantize(residual) };
};

/** Coarse numbers within a larger memory. */
interface StoredCoarse {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly scale: number;
}

/** Decodes coarse numbers into `numbers`, from index `to` on. */
export const readCoarse = (
  { bytes, from, scale }: StoredCoarse,
  numbers: Float32Array,
  to: number,
  dimensions: number,
): void => {
  const middle = MIDDLE * scale;
  const fullGroups = dimensions - (dimensions % GROUP);
  for (let groupStart = 0; groupStart < fullGroups; groupStart += GROUP) {
    const [at, lower] = [from + groupStart / 2, to + groupStart];
    for (let offset = 0; offset < GROUP_BYTES; offset += 1) {
      const byte = bytes[at + offset] ?? 0;
      numbers[lower + offset] = (byte & MAX_STEP) * scale - middle;
      numbers[lower + GROUP_BYTES + offset] = (byte >> HALF_BITS) * scale - middle;
    }
  }
  for (let index = fullGroups; index < dimensions; index += 1) {
    numbers[to + index] = (((bytes[from + byteOf(index)] ?? 0) >> shiftOf(index)) & MAX_STEP) * scale - middle;
  }
};

/** Writes the signature of a coarse vector: one bit per number, set if the number is positive. */
export const writeCoarseSignature = (nibbles: Uint8Array, memory: Uint8Array, at: number): void => {
  for (let groupStart = 0; groupStart < nibbles.length; groupStart += GROUP_BYTES) {
    let [lower, upper] = [0, 0];
    for (let offset = 0; offset < GROUP_BYTES; offset += 1) {
      const byte = nibbles[groupStart + offset] ?? 0;
      lower |= ((byte >> LOWER_SIGN) & 1) << offset;
      upper |= ((byte >> UPPER_SIGN) & 1) << offset;
    }
    const to = at + (groupStart / GROUP_BYTES) * SIGNATURE_BYTES;
    memory[to] = lower;
    memory[to + 1] = lower >> 8;
    memory[to + 2] = upper;
    memory[to + 3] = upper >> 8;
  }
};

const byteOf = (index: number): number => (index >> 5) * GROUP_BYTES + (index & (GROUP_BYTES - 1));
const shiftOf = (index: number): number => ((index & GROUP_BYTES) === 0 ? 0 : HALF_BITS);
