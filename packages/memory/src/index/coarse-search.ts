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
  /** Searches chunks below `count` with a nonzero entry in `mask`; `visibleCount` is their number. */
  search(vector: Float32Array, limit: number, scope: SearchScope): readonly ScoredChunk[];
}

export interface SearchScope {
  readonly mask: Uint8Array;
  readonly visibleCount: number;
  readonly count: number;
}

/**
 * Converts integer products to cosines: subtract `offset`, since steps count from 0, then multiply
 * by `scale`.
 */
interface QueryScale {
  readonly scale: number;
  readonly offset: number;
}

/** Vectors are in blocks, so that growing does not move them. */
const BLOCK_BITS = 12;
const CHUNKS_PER_BLOCK = 1 << BLOCK_BITS;
const WASM_PAGE_BYTES = 65_536;
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
  const addressesAt = endAt + 4;
  const resultsAt = addressesAt + 4 * (CHUNKS_PER_BLOCK + 1);
  const blocksAt = roundUp(resultsAt + 4 * CHUNKS_PER_BLOCK, 16);
  const blockSize = CHUNKS_PER_BLOCK * (size + signatureSize + 4);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(blocksAt / WASM_PAGE_BYTES) });
  const kernel = createKernel(memory, { vector: numbers, signature: signatureSize });
  const topCandidates = createTopCandidates();
  let { bytes, integers, floats } = viewsOf(memory);
  let blocks = 0;
  const hasVector = createGrowableArray((length) => new Uint8Array(length));

  const blockAt = (block: number): number => blocksAt + block * blockSize;
  const vectorAt = (chunk: number): number => blockAt(chunk >> BLOCK_BITS) + (chunk & (CHUNKS_PER_BLOCK - 1)) * size;
  const signaturesAt = (block: number): number => blockAt(block) + CHUNKS_PER_BLOCK * size;
  const scalesAt = (block: number): number => signaturesAt(block) + CHUNKS_PER_BLOCK * signatureSize;
  const scaleOf = (chunk: number): number =>
    floats[scalesAt(chunk >> BLOCK_BITS) / 4 + (chunk & (CHUNKS_PER_BLOCK - 1))] ?? 0;

  /** Whether the chunk has a vector and is visible. */
  const isSearchable = (chunk: number, mask: Uint8Array): boolean =>
    ((mask[chunk] ?? 0) & (hasVector.array[chunk] ?? 0)) === 1;

  const reserve = (chunk: number): void => {
    const neededBlocks = (chunk >> BLOCK_BITS) + 1;
    if (neededBlocks <= blocks) return;
    const missingBytes = blockAt(neededBlocks) - memory.buffer.byteLength;
    if (missingBytes > 0) memory.grow(Math.ceil(missingBytes / WASM_PAGE_BYTES));
    ({ bytes, integers, floats } = viewsOf(memory));
    blocks = neededBlocks;
    hasVector.reserve(blocks * CHUNKS_PER_BLOCK);
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

  /** Returns the signature distance within which about `wantedCount` chunks lie. */
  const radiusOf = (mask: Uint8Array, count: number, wantedCount: number): number => {
    const counts = new Uint32Array(signatureSize * 8 + 1);
    const step = Math.min(CHUNKS_PER_BLOCK, Math.ceil(count / SAMPLE_SIZE));
    for (let block = 0; block * CHUNKS_PER_BLOCK < count; block += 1) {
      const firstChunk = block * CHUNKS_PER_BLOCK;
      // Samples consecutive signatures, because scattered ones would load all memory into the cache.
      const length = Math.ceil(Math.min(CHUNKS_PER_BLOCK, count - firstChunk) / step);
      kernel.differ(signatureAt, signaturesAt(block), length, resultsAt, signatureSize);
      for (let index = 0; index < length; index += 1) {
        const chunk = firstChunk + index;
        if (!isSearchable(chunk, mask)) continue;
        const differing = integers[resultsAt / 4 + index] ?? 0;
        counts[differing] = (counts[differing] ?? 0) + step;
      }
    }
    let maxDistance = 0;
    let sum = counts[0] ?? 0;
    for (; sum < wantedCount && maxDistance < counts.length - 1; sum += counts[maxDistance] ?? 0) maxDistance += 1;
    return maxDistance;
  };

  /** Weighs the chunks whose signatures differ in at most `maxDistance` bits. */
  const weighNear = (mask: Uint8Array, count: number, maxDistance: number): void => {
    for (let block = 0; block * CHUNKS_PER_BLOCK < count; block += 1) {
      const [firstChunk, signatures] = [block * CHUNKS_PER_BLOCK, signaturesAt(block)];
      const blockCount = Math.min(CHUNKS_PER_BLOCK, count - firstChunk);
      kernel.within(signatureAt, signatures, blockCount, addressesAt, maxDistance, endAt);
      const foundCount = ((integers[endAt / 4] ?? addressesAt) - addressesAt) / 4;
      // Removes hidden and missing chunks only here, because they are few, or few chunks are visible.
      let searchableCount = 0;
      for (let index = 0; index < foundCount; index += 1) {
        const address = integers[addressesAt / 4 + index] ?? 0;
        const chunk = firstChunk + (address - signatures) / signatureSize;
        if (isSearchable(chunk, mask)) integers[addressesAt / 4 + searchableCount++] = address;
      }
      if (searchableCount === 0) continue;
      kernel.weigh(weightsAt, addressesAt, searchableCount, resultsAt);
      for (let index = 0; index < searchableCount; index += 1) {
        const chunk = firstChunk + ((integers[addressesAt / 4 + index] ?? 0) - signatures) / signatureSize;
        topCandidates.add(chunk, integers[resultsAt / 4 + index] ?? 0);
      }
    }
  };

  /** Returns the visible chunks that have a vector. */
  const chunksIn = ({ mask, visibleCount }: SearchScope, count: number): Uint32Array => {
    const chunks = new Uint32Array(visibleCount);
    let foundCount = 0;
    for (let chunk = 0; chunk < count; chunk += 1) if (isSearchable(chunk, mask)) chunks[foundCount++] = chunk;
    return chunks.subarray(0, foundCount);
  };

  /** Compares the given chunks. */
  const compareChunks = (best: BestChunks, { scale, offset }: QueryScale, chunks: Uint32Array): void => {
    for (let from = 0; from < chunks.length; from += CHUNKS_PER_BLOCK) {
      const length = Math.min(CHUNKS_PER_BLOCK, chunks.length - from);
      for (let index = 0; index < length; index += 1)
        integers[addressesAt / 4 + index] = vectorAt(chunks[from + index] ?? 0);
      kernel.dotHalves(0, addressesAt, length, resultsAt);
      for (let index = 0; index < length; index += 1) {
        const chunk = chunks[from + index] ?? 0;
        best.offer(chunk, ((integers[resultsAt / 4 + index] ?? 0) - offset) * scaleOf(chunk) * scale);
      }
    }
  };

  const searchBySignatures = (
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
    const wantedCount = Math.min(limit, visibleCount);
    const weighedCount = Math.max(
      MIN_WEIGHED,
      (visibleCount / 100) * WEIGHED_PER_HUNDRED,
      wantedCount * WEIGHED_PER_HIT,
    );
    weighNear(mask, count, radiusOf(mask, count, weighedCount));
    const comparedCount = Math.max(weighedCount / WEIGHED_PER_COMPARED, wantedCount * COMPARED_PER_HIT);
    compareChunks(best, query, topCandidates.take(comparedCount));
  };

  return {
    set(chunk, { nibbles, scale }) {
      reserve(chunk);
      const block = chunk >> BLOCK_BITS;
      bytes.set(nibbles, vectorAt(chunk));
      writeCoarseSignature(nibbles, bytes, signaturesAt(block) + (chunk & (CHUNKS_PER_BLOCK - 1)) * signatureSize);
      floats[scalesAt(block) / 4 + (chunk & (CHUNKS_PER_BLOCK - 1))] = scale;
      hasVector.array[chunk] = 1;
    },
    restore(chunks) {
      // Uses one array for all vectors, because many small allocations take more time than the data.
      const restored = new Float32Array(chunks.length * dimensions);
      for (const [index, chunk] of chunks.entries()) {
        const storedVector = { bytes, from: vectorAt(chunk), scale: scaleOf(chunk) };
        readCoarse(storedVector, restored, index * dimensions, dimensions);
      }
      return chunks.map((_, index) => restored.subarray(index * dimensions, (index + 1) * dimensions));
    },
    search(vector, limit, scope) {
      const chunkCount = Math.min(scope.count, blocks * CHUNKS_PER_BLOCK);
      if (chunkCount === 0 || limit === 0) return [];
      const query = loadQuery(vector);
      const best = createBestChunks(limit, order);
      if (scope.visibleCount <= MAX_FULL_SCAN) compareChunks(best, query, chunksIn(scope, chunkCount));
      else searchBySignatures(best, query, limit, scope, chunkCount);
      return best.results();
    },
  };
};

const roundUp = (value: number, step: number): number => Math.ceil(value / step) * step;

const viewsOf = ({ buffer }: WebAssembly.Memory) => ({
  bytes: new Uint8Array(buffer),
  integers: new Int32Array(buffer),
  floats: new Float32Array(buffer),
});
