/**
 * Searches coarse vectors in memory by cosine. It compares all of up to 20,000 visible vectors. If
 * there are more, it weighs the nearest signatures bit by bit and compares the best of those, which
 * takes less than a tenth of the time and misses less than 1 %. The order of the hits is
 * approximate.
 */
import { type BestChunks, createBestChunks, type TieOrder } from "./best.ts";
import type { ScoredChunk } from "./chunk-index.ts";
import { type CoarseVector, coarseBytes, GROUP, MIDDLE, readCoarse, writeCoarseSignature } from "./coarse.ts";
import { createGrowableArray } from "./growing.ts";
import { createKernel, TABLE_ENTRIES } from "./kernel.ts";
import { quantizeQuestion, toWeights, writeSignature } from "./quantized.ts";
import { createTopCandidates } from "./top-candidates.ts";

export interface CoarseSearch {
  /** Sets the vector of a chunk number, replacing an earlier one. */
  set(chunk: number, vector: CoarseVector): void;
  /** Decodes the coarse vectors. */
  restore(chunks: readonly number[]): readonly Float32Array[];
  /** Searches chunks below `count` with a nonzero place in `mask`; `visible` is their number. */
  search(vector: Float32Array, limit: number, scope: SearchScope): readonly ScoredChunk[];
}

export interface SearchScope {
  readonly mask: Uint8Array;
  readonly visibleCount: number;
  readonly count: number;
}

/**
 * Converts integer products to cosines: subtract `middle`, since steps count from 0, then multiply
 * by `scale`.
 */
interface QueryScale {
  readonly scale: number;
  readonly offset: number;
}

/** Vectors are in blocks, so that growing does not move them. */
const BLOCK_BITS = 12;
const BLOCK = 1 << BLOCK_BITS;
const PAGE = 65_536;
/** Maximum number of visible chunks that are all compared. */
const MAX_FULL_SCAN = 20_000;
/**
 * Minimum number of signatures weighed: absolute, per hundred visible chunks, and per wanted hit.
 */
const MIN_WEIGHED = 6000;
const WEIGHED_PER_HUNDRED = 2;
const WEIGHED_PER_HIT = 40;
/** Number of weighed chunks for each compared one, and minimum number of compared chunks per wanted hit. */
const WEIGHED_PER_COMPARED = 8;
const COMPARED_PER_HIT = 10;
/** Sample size, over all blocks, for the distribution of signature distances. */
const SAMPLE_SIZE = 32_768;

export const createCoarseSearch = (dimensions: number, order: TieOrder): CoarseSearch => {
  const numbers = roundUp(dimensions, GROUP);
  const size = coarseBytes(dimensions);
  const signatureSize = roundUp(dimensions, 128) / 8;
  // Memory layout before the blocks: the question's numbers, its signature, the weights of
  // signature bytes, then the end pointer, addresses and products of one block.
  const signatureAt = 2 * numbers;
  const weightsAt = signatureAt + signatureSize;
  const endAt = weightsAt + 2 * TABLE_ENTRIES * signatureSize;
  const placesAt = endAt + 4;
  const resultsAt = placesAt + 4 * (BLOCK + 1);
  const begin = roundUp(resultsAt + 4 * BLOCK, 16);
  const blockSize = BLOCK * (size + signatureSize + 4);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(begin / PAGE) });
  const kernel = createKernel(memory, { vector: numbers, signature: signatureSize });
  const sieve = createTopCandidates();
  let { bytes, integers, floats } = viewsOf(memory);
  let blocks = 0;
  const present = createGrowableArray((length) => new Uint8Array(length));

  const blockAt = (block: number): number => begin + block * blockSize;
  const vectorAt = (chunk: number): number => blockAt(chunk >> BLOCK_BITS) + (chunk & (BLOCK - 1)) * size;
  const signaturesAt = (block: number): number => blockAt(block) + BLOCK * size;
  const scalesAt = (block: number): number => signaturesAt(block) + BLOCK * signatureSize;
  const scaleOf = (chunk: number): number => floats[scalesAt(chunk >> BLOCK_BITS) / 4 + (chunk & (BLOCK - 1))] ?? 0;

  /** Whether the chunk has a vector and is visible. */
  const isSearchable = (chunk: number, mask: Uint8Array): boolean =>
    ((mask[chunk] ?? 0) & (present.array[chunk] ?? 0)) === 1;

  const reserve = (chunk: number): void => {
    const wanted = (chunk >> BLOCK_BITS) + 1;
    if (wanted <= blocks) return;
    const missing = blockAt(wanted) - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    ({ bytes, integers, floats } = viewsOf(memory));
    blocks = wanted;
    present.reserve(blocks * BLOCK);
  };

  const loadQuery = (vector: Float32Array): QueryScale => {
    const quantized = quantizeQuestion(vector);
    const question = new Int16Array(memory.buffer, 0, numbers).fill(0);
    question.set(quantized.numbers);
    writeSignature(quantized.numbers, bytes, signatureAt);
    let sum = 0;
    for (let index = 0; index < numbers; index += 1) sum += question[index] ?? 0;
    return { scale: quantized.scale, offset: MIDDLE * sum };
  };

  /** Returns the signature distance within which about `wanted` chunks lie. */
  const radiusOf = (mask: Uint8Array, count: number, wanted: number): number => {
    const counts = new Uint32Array(signatureSize * 8 + 1);
    const step = Math.min(BLOCK, Math.ceil(count / SAMPLE_SIZE));
    for (let block = 0; block * BLOCK < count; block += 1) {
      const first = block * BLOCK;
      // Samples consecutive signatures, because scattered ones would load all memory into the cache.
      const length = Math.ceil(Math.min(BLOCK, count - first) / step);
      kernel.differ(signatureAt, signaturesAt(block), length, resultsAt, signatureSize);
      for (let at = 0; at < length; at += 1) {
        const chunk = first + at;
        if (!isSearchable(chunk, mask)) continue;
        const differing = integers[resultsAt / 4 + at] ?? 0;
        counts[differing] = (counts[differing] ?? 0) + step;
      }
    }
    let most = 0;
    for (let sum = counts[0] ?? 0; sum < wanted && most < counts.length - 1; sum += counts[most] ?? 0) most += 1;
    return most;
  };

  /** Weighs the chunks whose signatures differ in at most `most` bits. */
  const weighNear = (mask: Uint8Array, count: number, most: number): void => {
    for (let block = 0; block * BLOCK < count; block += 1) {
      const [first, signatures] = [block * BLOCK, signaturesAt(block)];
      kernel.within(signatureAt, signatures, Math.min(BLOCK, count - first), placesAt, most, endAt);
      const found = ((integers[endAt / 4] ?? placesAt) - placesAt) / 4;
      // Removes hidden and missing chunks only here, because they are few, or few chunks are visible.
      let left = 0;
      for (let at = 0; at < found; at += 1) {
        const place = integers[placesAt / 4 + at] ?? 0;
        const chunk = first + (place - signatures) / signatureSize;
        if (isSearchable(chunk, mask)) integers[placesAt / 4 + left++] = place;
      }
      if (left === 0) continue;
      kernel.weigh(weightsAt, placesAt, left, resultsAt);
      for (let at = 0; at < left; at += 1) {
        const chunk = first + ((integers[placesAt / 4 + at] ?? 0) - signatures) / signatureSize;
        sieve.add(chunk, integers[resultsAt / 4 + at] ?? 0);
      }
    }
  };

  /** Returns the visible chunks that have a vector. */
  const chunksIn = ({ mask, visibleCount }: SearchScope, count: number): Uint32Array => {
    const chunks = new Uint32Array(visibleCount);
    let found = 0;
    for (let chunk = 0; chunk < count; chunk += 1) if (isSearchable(chunk, mask)) chunks[found++] = chunk;
    return chunks.subarray(0, found);
  };

  /** Compares the given chunks. */
  const searchThese = (best: BestChunks, { scale, offset }: QueryScale, chunks: Uint32Array): void => {
    for (let from = 0; from < chunks.length; from += BLOCK) {
      const length = Math.min(BLOCK, chunks.length - from);
      for (let at = 0; at < length; at += 1) integers[placesAt / 4 + at] = vectorAt(chunks[from + at] ?? 0);
      kernel.dotHalves(0, placesAt, length, resultsAt);
      for (let at = 0; at < length; at += 1) {
        const chunk = chunks[from + at] ?? 0;
        best.offer(chunk, ((integers[resultsAt / 4 + at] ?? 0) - offset) * scaleOf(chunk) * scale);
      }
    }
  };

  const searchMany = (
    best: BestChunks,
    query: QueryScale,
    limit: number,
    { mask, visibleCount }: SearchScope,
    count: number,
  ): void => {
    toWeights(
      new Int16Array(memory.buffer, 0, numbers),
      new Int16Array(memory.buffer, weightsAt, TABLE_ENTRIES * signatureSize),
    );
    const wanted = Math.min(limit, visibleCount);
    const weighed = Math.max(MIN_WEIGHED, (visibleCount / 100) * WEIGHED_PER_HUNDRED, wanted * WEIGHED_PER_HIT);
    weighNear(mask, count, radiusOf(mask, count, weighed));
    searchThese(best, query, sieve.take(Math.max(weighed / WEIGHED_PER_COMPARED, wanted * COMPARED_PER_HIT)));
  };

  return {
    set(chunk, { nibbles, scale }) {
      reserve(chunk);
      const block = chunk >> BLOCK_BITS;
      bytes.set(nibbles, vectorAt(chunk));
      writeCoarseSignature(nibbles, bytes, signaturesAt(block) + (chunk & (BLOCK - 1)) * signatureSize);
      floats[scalesAt(block) / 4 + (chunk & (BLOCK - 1))] = scale;
      present.array[chunk] = 1;
    },
    restore(chunks) {
      // Uses one array for all vectors, because many small allocations take more time than the data.
      const restored = new Float32Array(chunks.length * dimensions);
      for (const [which, chunk] of chunks.entries()) {
        const stored = { bytes, from: vectorAt(chunk), scale: scaleOf(chunk) };
        readCoarse(stored, restored, which * dimensions, dimensions);
      }
      return chunks.map((_, which) => restored.subarray(which * dimensions, (which + 1) * dimensions));
    },
    search(vector, limit, scope) {
      const known = Math.min(scope.count, blocks * BLOCK);
      if (known === 0 || limit === 0) return [];
      const query = loadQuery(vector);
      const best = createBestChunks(limit, order);
      if (scope.visibleCount <= MAX_FULL_SCAN) searchThese(best, query, chunksIn(scope, known));
      else searchMany(best, query, limit, scope, known);
      return best.take();
    },
  };
};

const roundUp = (value: number, step: number): number => Math.ceil(value / step) * step;

const viewsOf = ({ buffer }: WebAssembly.Memory) => ({
  bytes: new Uint8Array(buffer),
  integers: new Int32Array(buffer),
  floats: new Float32Array(buffer),
});
