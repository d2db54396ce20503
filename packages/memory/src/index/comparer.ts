/** Vectors as bytes, compared with questions. */
import { createKernel } from "./kernel.ts";
import { quantizeQuestion } from "./quantized.ts";

export interface Comparer {
  /** What everything is compared with from then on. */
  ask(questions: readonly Float32Array[]): void;
  /**
   * The cosines of `count` vectors with the first question, then with the second, and so on. Vectors lie one after the other: the scale of
   * each, four bytes, before its own. Valid until the next call.
   */
  compare(vectors: Uint8Array, count: number): Float32Array;
}

const PAGE = 65_536;
const LANE_BYTES = 16;
const SCALE_BYTES = 4;

export const createComparer = (dimensions: number): Comparer => {
  const size = Math.ceil(dimensions / LANE_BYTES) * LANE_BYTES;
  const stride = SCALE_BYTES + dimensions;
  const memory = new WebAssembly.Memory({ initial: 1 });
  // Nothing is told by signatures here.
  const kernel = createKernel(memory, { vector: size, signature: LANE_BYTES });
  let scales: readonly number[] = [];
  let cosines = new Float32Array(0);

  const reserve = (length: number): void => {
    const missing = length - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  };
  const questionAt = (which: number): number => 2 * size * which;

  return {
    ask(questions) {
      reserve(questionAt(questions.length));
      scales = questions.map((question, which) => {
        const { numbers, scale } = quantizeQuestion(question);
        const written = new Int16Array(memory.buffer, questionAt(which), size).fill(0);
        written.set(numbers);
        return scale;
      });
    },
    compare(vectors, count) {
      if (cosines.length < count * scales.length) cosines = new Float32Array(2 * count * scales.length);
      if (count === 0) return cosines;
      const resultsAt = questionAt(scales.length);
      const dataAt = resultsAt + 4 * count;
      // What is read beyond the last vector is multiplied with nothing.
      reserve(dataAt + vectors.length + size);
      new Uint8Array(memory.buffer, dataAt, vectors.length).set(vectors);
      const data = new DataView(memory.buffer, dataAt, vectors.length);
      const results = new Int32Array(memory.buffer, resultsAt, count);
      for (const [which, scale] of scales.entries()) {
        kernel.dot(questionAt(which), dataAt + SCALE_BYTES, count, resultsAt, stride);
        for (let at = 0; at < count; at += 1) {
          cosines[which * count + at] = (results[at] ?? 0) * data.getFloat32(at * stride, true) * scale;
        }
      }
      return cosines;
    },
  };
};
