/**
 * Vectors in memory, found by cosine. Few are compared one by one; of many, those whose signatures differ least are, which takes a tenth of the time
 * and misses less than one of a hundred.
 */
import { type Best, createBest, type PlaceOrder } from "./best.ts";
import type { Scored } from "./chunk-index.ts";
import { createKernel } from "./kernel.ts";
import { type Quantized, quantizeQuestion, toSignature } from "./quantized.ts";

export interface Near {
  /** By the chunk's number. Replaces the one that is there. */
  set(chunk: number, vector: Quantized): void;
  /** As it was set. */
  get(chunk: number): Quantized;
  /** Of the chunks below `count` whose place in `mask` is not 0; `visible` is how many those are. */
  search(vector: Float32Array, limit: number, sight: NearSight): readonly Scored[];
}

export interface NearSight {
  readonly mask: Uint8Array;
  readonly visible: number;
  readonly count: number;
}

/** Vectors come in blocks, so that none moves when there are more. */
const BLOCK_BITS = 12;
const BLOCK = 1 << BLOCK_BITS;
const PAGE = 65_536;
/** Up to so many visible ones are compared one by one. */
const EXACT = 20_000;
/** So many of those with the nearest signatures are compared, at the least: of all, and of each hundred that are visible. For each that is wanted, so many. */
const CANDIDATES = 4000;
const CANDIDATES_PER_HUNDRED = 1;
const CANDIDATES_EACH = 20;
/** So many, spread over all, stand for them when it is asked how near signatures are. */
const SAMPLED = 32_768;

export const createNear = (dimensions: number, order: PlaceOrder): Near => {
  const size = roundUp(dimensions, 16);
  const signatureSize = roundUp(dimensions, 128) / 8;
  // The question lies before the blocks, with room for what one block answers: its numbers, its signature, where answers end, places, products.
  const signatureAt = 2 * size;
  const endAt = signatureAt + signatureSize;
  const placesAt = endAt + 4;
  const resultsAt = placesAt + 4 * (BLOCK + 1);
  const begin = roundUp(resultsAt + 4 * BLOCK, 16);
  const blockSize = BLOCK * (size + signatureSize + 4);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(begin / PAGE) });
  const kernel = createKernel(memory, { vector: size, signature: signatureSize });
  let { bytes, integers, floats } = viewsOf(memory);
  let blocks = 0;
  let present = new Uint8Array(0);

  const blockAt = (block: number): number => begin + block * blockSize;
  const vectorAt = (chunk: number): number => blockAt(chunk >> BLOCK_BITS) + (chunk & (BLOCK - 1)) * size;
  const signaturesAt = (block: number): number => blockAt(block) + BLOCK * size;
  const scalesAt = (block: number): number => signaturesAt(block) + BLOCK * signatureSize;
  const scaleOf = (chunk: number): number => floats[scalesAt(chunk >> BLOCK_BITS) / 4 + (chunk & (BLOCK - 1))] ?? 0;

  const reserve = (chunk: number): void => {
    const wanted = (chunk >> BLOCK_BITS) + 1;
    if (wanted <= blocks) return;
    const missing = blockAt(wanted) - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    ({ bytes, integers, floats } = viewsOf(memory));
    blocks = wanted;
    const more = new Uint8Array(blocks * BLOCK);
    more.set(present);
    present = more;
  };

  const ask = (vector: Float32Array): number => {
    const { numbers, scale } = quantizeQuestion(vector);
    const question = new Int16Array(memory.buffer, 0, size).fill(0);
    question.set(numbers);
    toSignature(numbers, new Uint8Array(memory.buffer, signatureAt, signatureSize));
    return scale;
  };

  /** Gives the best of all, one by one; each product is to be multiplied with `scale`. */
  const searchAll = (best: Best, scale: number, mask: Uint8Array, count: number): void => {
    for (let block = 0; block * BLOCK < count; block += 1) {
      const first = block * BLOCK;
      const length = Math.min(BLOCK, count - first);
      kernel.dot(0, blockAt(block), length, resultsAt, size);
      for (let at = 0; at < length; at += 1) {
        if (((mask[first + at] ?? 0) & (present[first + at] ?? 0)) === 0) continue;
        best.offer(first + at, (integers[resultsAt / 4 + at] ?? 0) * scaleOf(first + at) * scale);
      }
    }
  };

  /** In how many bits a signature may differ from the question's, so that about `wanted` are left. */
  const reachOf = (mask: Uint8Array, count: number, wanted: number): number => {
    const numbers = new Uint32Array(signatureSize * 8 + 1);
    const step = Math.min(BLOCK, Math.ceil(count / SAMPLED));
    for (let block = 0; block * BLOCK < count; block += 1) {
      const first = block * BLOCK;
      const length = Math.ceil(Math.min(BLOCK, count - first) / step);
      kernel.differ(signatureAt, signaturesAt(block), length, resultsAt, step * signatureSize);
      for (let at = 0; at < length; at += 1) {
        const chunk = first + at * step;
        if (((mask[chunk] ?? 0) & (present[chunk] ?? 0)) === 0) continue;
        const differing = integers[resultsAt / 4 + at] ?? 0;
        numbers[differing] = (numbers[differing] ?? 0) + step;
      }
    }
    let most = 0;
    for (let sum = numbers[0] ?? 0; sum < wanted && most < numbers.length - 1; sum += numbers[most] ?? 0) most += 1;
    return most;
  };

  const searchNearSignatures = (best: Best, scale: number, mask: Uint8Array, count: number, most: number): void => {
    for (let block = 0; block * BLOCK < count; block += 1) {
      const [first, vectors] = [block * BLOCK, blockAt(block)];
      const length = Math.min(BLOCK, count - first);
      kernel.within(signatureAt, signaturesAt(block), length, placesAt, most, vectors, endAt);
      const found = ((integers[endAt / 4] ?? placesAt) - placesAt) / 4;
      // What is hidden or not there is passed over here: it is few, or few are seen.
      let left = 0;
      for (let at = 0; at < found; at += 1) {
        const place = integers[placesAt / 4 + at] ?? 0;
        const chunk = first + (place - vectors) / size;
        if (((mask[chunk] ?? 0) & (present[chunk] ?? 0)) === 1) integers[placesAt / 4 + left++] = place;
      }
      if (left === 0) continue;
      kernel.dotEach(0, placesAt, left, resultsAt);
      for (let at = 0; at < left; at += 1) {
        const chunk = first + ((integers[placesAt / 4 + at] ?? 0) - vectors) / size;
        best.offer(chunk, (integers[resultsAt / 4 + at] ?? 0) * scaleOf(chunk) * scale);
      }
    }
  };

  return {
    set(chunk, vector) {
      reserve(chunk);
      const block = chunk >> BLOCK_BITS;
      const at = vectorAt(chunk);
      bytes.fill(0, at, at + size);
      bytes.set(vector.bytes, at);
      const signature = signaturesAt(block) + (chunk & (BLOCK - 1)) * signatureSize;
      toSignature(vector.bytes, new Uint8Array(memory.buffer, signature, signatureSize));
      floats[scalesAt(block) / 4 + (chunk & (BLOCK - 1))] = vector.scale;
      present[chunk] = 1;
    },
    get: (chunk) => ({
      bytes: bytes.subarray(vectorAt(chunk), vectorAt(chunk) + dimensions),
      scale: scaleOf(chunk),
    }),
    search(vector, limit, { mask, visible, count }) {
      const known = Math.min(count, blocks * BLOCK);
      if (known === 0 || limit === 0) return [];
      const scale = ask(vector);
      const best = createBest(limit, order);
      if (visible <= EXACT) searchAll(best, scale, mask, known);
      else {
        const wanted = Math.max(
          CANDIDATES,
          (visible / 100) * CANDIDATES_PER_HUNDRED,
          Math.min(limit, visible) * CANDIDATES_EACH,
        );
        searchNearSignatures(best, scale, mask, known, reachOf(mask, known, wanted));
      }
      return best.take();
    },
  };
};

const roundUp = (value: number, step: number): number => Math.ceil(value / step) * step;

const viewsOf = ({ buffer }: WebAssembly.Memory) => ({
  bytes: new Int8Array(buffer),
  integers: new Int32Array(buffer),
  floats: new Float32Array(buffer),
});
