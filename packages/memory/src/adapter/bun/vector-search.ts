/**
 * Searches the vectors of chunks. The coarse vectors of all chunks are in memory and preselect the
 * nearest chunks. Finer vectors are on disk and are read for the few chunks that are compared
 * exactly.
 */
import { createBestChunks, type TieOrder } from "../../index/best.ts";
import type { Comparison, ScoredChunk } from "../../index/chunk-index.ts";
import type { CoarseVector } from "../../index/coarse.ts";
import { createComparer } from "../../index/comparer.ts";
import { createCoarseSearch, type SearchScope } from "../../index/coarse-search.ts";
import { dot } from "../../retrieval/scale.ts";
import type { IndexRows } from "./index-rows.ts";
import { similaritiesOf, addResiduals } from "./vector-bytes.ts";

export interface VectorSearch {
  readonly dimensions: number;
  /** Sets the coarse vector of a chunk. The finer vectors must already be on disk. */
  set(number: number, vector: CoarseVector): void;
  /**
   * Returns the nearest chunks, best first. Throws a RangeError, as `compare` does, if the vectors
   * on disk are damaged.
   */
  nearest(vector: Float32Array, limit: number, scope: SearchScope): readonly ScoredChunk[];
  /** Compares chunks with the questions. Accepts only chunks that have vectors. */
  compare(numbers: readonly number[], questions: readonly Float32Array[]): ReadonlyMap<number, Comparison>;
}

export interface VectorSearchOptions {
  readonly dimensions: number;
  readonly order: TieOrder;
  readonly rows: Pick<IndexRows, "fineVectors">;
  /** Returns the row ids of those chunks that still exist, in the given order. */
  locate(numbers: readonly number[]): readonly ChunkRow[];
}

interface ChunkRow {
  readonly number: number;
  readonly id: number;
}

/**
 * Minimum number of chunks that are compared exactly. In a test with a million vectors, the ten
 * nearest were among the 40 with the nearest coarse vectors. A memory search compares 80 chunks
 * anyway.
 */
const MIN_REFINED = 80;

/** A chunk with its vector at full precision. */
interface RefinedChunk {
  readonly number: number;
  readonly whole: Float32Array;
  readonly stored: Uint8Array;
}

export const createVectorSearch = ({ dimensions, order, rows, locate }: VectorSearchOptions): VectorSearch => {
  const coarseVectors = createCoarseSearch(dimensions, order);
  const comparer = createComparer(dimensions);

  /**
   * The chunks of the last `nearest`. The next `compare` takes them from here instead of reading
   * them again.
   */
  let lastRefined: ReadonlyMap<number, RefinedChunk> = new Map();

  const read = (chunkRows: readonly ChunkRow[]): readonly RefinedChunk[] => {
    const fineVectors = rows.fineVectors(chunkRows.map(({ id }) => id));
    const vectors = coarseVectors.restore(chunkRows.map(({ number }) => number));
    addResiduals(vectors, fineVectors);
    return chunkRows.flatMap(({ number }, index) => {
      const [whole, bytes] = [vectors[index], fineVectors[index]];
      return whole === undefined || bytes === undefined ? [] : [{ number, whole, stored: bytes }];
    });
  };

  return {
    dimensions,
    set(number, vector) {
      lastRefined = new Map();
      coarseVectors.set(number, vector);
    },
    nearest(vector, limit, scope) {
      if (limit === 0) return [];
      const preselected = coarseVectors.search(vector, Math.max(limit, MIN_REFINED), scope);
      const refined = read(locate(preselected.map(({ chunk }) => chunk)));
      lastRefined = new Map(refined.map((chunk) => [chunk.number, chunk]));
      const best = createBestChunks(limit, order);
      for (const { number, whole } of refined) best.offer(number, dot(whole, vector));
      return best.results();
    },
    compare(numbers, questions) {
      const refinedChunks = lastRefined;
      lastRefined = new Map();
      const chunkRows = locate(numbers);
      const chunks = [
        ...chunkRows.flatMap(({ number }) => refinedChunks.get(number) ?? []),
        ...read(chunkRows.filter(({ number }) => !refinedChunks.has(number))),
      ];
      const similarities = similaritiesOf({ chunks, questions, dimensions, comparer });
      return new Map(
        chunks.map(({ number, whole }, index) => [number, { whole, similarities: similarities[index] ?? [] }]),
      );
    },
  };
};
