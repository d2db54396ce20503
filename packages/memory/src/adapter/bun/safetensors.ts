/** Reads model weights in the "safetensors" format: a length, a JSON header, then the numbers. */
import { z } from "zod";

export interface Weights {
  /**
   * Returns half floats as stored. Throws a RangeError if the tensor is missing or has another
   * shape.
   */
  halfFloats(name: string, shape: readonly number[]): Uint16Array;
  floats(name: string, shape: readonly number[]): Float32Array;
}

const Header = z.record(
  z.string(),
  z.object({ dtype: z.string(), shape: z.array(z.int()), data_offsets: z.tuple([z.int(), z.int()]) }),
);

const LENGTH_BYTES = 8;

export const readWeights = (file: Uint8Array): Weights => {
  // A table of all 65,536 half floats is faster than converting millions of weights one by one.
  const floatOf = new Float32Array(1 << 16);
  for (let half = 0; half < floatOf.length; half += 1) floatOf[half] = toFloat(half);

  const begin = LENGTH_BYTES + Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const json: unknown = JSON.parse(new TextDecoder().decode(file.subarray(LENGTH_BYTES, begin)));
  const { __metadata__: _, ...tensors } = z.looseObject({}).parse(json);
  const header = Header.parse(tensors);

  const readHalfFloats: Weights["halfFloats"] = (name, shape) => {
    const tensor = header[name];
    if (tensor?.dtype !== "F16" || tensor.shape.join() !== shape.join()) {
      throw new RangeError(`The weights have no ${name} of ${shape.join(" × ")} half floats.`);
    }
    const [from, to] = tensor.data_offsets;
    // Copies the bytes, because the halves may start at an odd byte of the file.
    return new Uint16Array(file.slice(begin + from, begin + to).buffer);
  };
  return {
    halfFloats: readHalfFloats,
    floats(name, shape) {
      const halfFloats = readHalfFloats(name, shape);
      const floats = new Float32Array(halfFloats.length);
      for (let index = 0; index < halfFloats.length; index += 1) floats[index] = floatOf[halfFloats[index] ?? 0] ?? 0;
      return floats;
    },
  };
};

/** Half floats have one sign bit, five exponent bits and ten fraction bits. */
const toFloat = (half: number): number => {
  const sign = half >> 15 === 0 ? 1 : -1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
};
