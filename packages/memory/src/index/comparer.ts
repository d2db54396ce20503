/** Computes cosines of quantized vectors with questions. */
import { createKernel } from "./kernel.ts";
import { quantizeQuestion } from "./quantized.ts";

export interface Comparer {
  /** Sets the questions for the following `compare` calls. */
  setQuestions(questions: readonly Float32Array[]): void;
  /**
   * Returns the cosines of all vectors with the first question, then with the second, and so on.
   * Each piece has `skip` bytes and then its vectors. A vector is a scale of four bytes and its
   * numbers. The result is valid until the next call.
   */
  compare(pieces: readonly Uint8Array[], skip: number): Float32Array;
}

const PAGE_BYTES = 65_536;
/** Block sizes that the kernel requires. */
const VECTOR_STEP = 32;
const SIGNATURE_BYTES = 16;
const SCALE_BYTES = 4;

export const createComparer = (dimensions: number): Comparer => {
  const size = Math.ceil(dimensions / VECTOR_STEP) * VECTOR_STEP;
  const stride = SCALE_BYTES + dimensions;
  const memory = new WebAssembly.Memory({ initial: 1 });
  // This kernel computes no signatures, but needs a valid size.
  const kernel = createKernel(memory, { vector: size, signature: SIGNATURE_BYTES });
  let scales: readonly number[] = [];
  let cosines = new Float32Array(0);

  const reserve = (length: number): void => {
    const missingBytes = length - memory.buffer.byteLength;
    if (missingBytes > 0) memory.grow(Math.ceil(missingBytes / PAGE_BYTES));
  };
  const questionAt = (questionIndex: number): number => 2 * size * questionIndex;

  return {
    setQuestions(questions) {
      reserve(questionAt(questions.length));
      scales = questions.map((question, questionIndex) => {
        const { numbers, scale } = quantizeQuestion(question);
        const target = new Int16Array(memory.buffer, questionAt(questionIndex), size).fill(0);
        target.set(numbers);
        return scale;
      });
    },
    compare(pieces, skip) {
      const count = pieces.reduce((sum, { length }) => sum + (length - skip) / stride, 0);
      if (cosines.length < count * scales.length) cosines = new Float32Array(2 * count * scales.length);
      const resultsAt = questionAt(scales.length);
      const dataAt = resultsAt + 4 * count * scales.length;
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      // Reserves space after the last vector, because the kernel reads beyond it and multiplies by zero.
      reserve(dataAt + length + size);
      const [bytes, data] = [new Uint8Array(memory.buffer), new DataView(memory.buffer)];
      const factors = new Float32Array(count);
      let [pieceAt, comparedCount] = [dataAt, 0];
      for (const piece of pieces) {
        bytes.set(piece, pieceAt);
        const firstVectorAt = pieceAt + skip + SCALE_BYTES;
        pieceAt += piece.length;
        const vectorCount = (piece.length - skip) / stride;
        if (vectorCount === 0) continue;
        for (let questionIndex = 0; questionIndex < scales.length; questionIndex += 1) {
          kernel.dot(
            questionAt(questionIndex),
            firstVectorAt,
            vectorCount,
            resultsAt + 4 * (questionIndex * count + comparedCount),
            stride,
          );
        }
        for (let vector = 0; vector < vectorCount; vector += 1) {
          factors[comparedCount + vector] = data.getFloat32(firstVectorAt - SCALE_BYTES + vector * stride, true);
        }
        comparedCount += vectorCount;
      }
      const results = new Int32Array(memory.buffer, resultsAt, count * scales.length);
      for (const [questionIndex, scale] of scales.entries()) {
        for (let vector = 0; vector < count; vector += 1) {
          const result = questionIndex * count + vector;
          cosines[result] = (results[result] ?? 0) * (factors[vector] ?? 0) * scale;
        }
      }
      return cosines;
    },
  };
};
