/**
 * The vectors of a SQLite index. All vectors are on disk, and the coarse vector of each chunk is
 * also in memory.
 */
import type { ChunkIndex } from "../../index/chunk-index.ts";
import { splitVector } from "../../index/coarse.ts";
import { createGrowableArray } from "../../index/growing.ts";
import type { ChunkCatalog } from "./chunk-catalog.ts";
import type { IndexRows } from "./index-rows.ts";
import { coarseFromBytes } from "./vector-bytes.ts";
import { createVectorSearch, type VectorSearch } from "./vector-search.ts";

export interface IndexVectors {
  /** Reads the coarse vectors into memory. If they are from another embedder, deletes all vectors instead. */
  load(embedder: { readonly name: string; readonly dimensions: number } | undefined): void;
  /** Reserves memory for all chunks. */
  reserve(): void;
  has(number: number): boolean;
  readonly nearest: ChunkIndex["nearest"];
  readonly compare: ChunkIndex["compare"];
  readonly set: ChunkIndex["setVectors"];
}

export interface IndexVectorsOptions {
  readonly catalog: ChunkCatalog;
  readonly rows: IndexRows;
  readonly mapErrors: <Result>(work: () => Result) => Result;
  readonly transact: <Result>(work: () => Result) => Result;
}

export const createIndexVectors = ({ catalog, rows, mapErrors, transact }: IndexVectorsOptions): IndexVectors => {
  const { roster, loadedFiles, locate, order } = catalog;
  /** Contains 1 for each chunk number with a vector, and 0 for the other numbers. */
  const vectorFlags = createGrowableArray((length) => new Uint8Array(length));
  let search: VectorSearch | undefined;

  const searchOf = (dimensions: number): VectorSearch =>
    (search ??= createVectorSearch({ dimensions, order, rows, locate }));

  const reset = (name: string, dimensions: number): void => {
    transact(() => {
      rows.deleteVectors();
      rows.putMeta("embedder", name);
      rows.putMeta("dimensions", String(dimensions));
    });
    vectorFlags.array.fill(0);
    search = undefined;
  };

  return {
    load(embedder) {
      const name = rows.meta("embedder");
      const dimensions = Number(rows.meta("dimensions"));
      const isOtherEmbedder = embedder !== undefined && (name !== embedder.name || dimensions !== embedder.dimensions);
      if (isOtherEmbedder) return reset(embedder.name, embedder.dimensions);
      if (name === undefined) return;
      const vectorSearch = searchOf(dimensions);
      const filesInOrder = loadedFiles.values();
      let file = filesInOrder.next().value;
      for (const { chunk: row, vector } of rows.coarseVectors()) {
        while (file !== undefined && row >= file.first + file.size) file = filesInOrder.next().value;
        if (file === undefined || row < file.first) throw new RangeError("A vector belongs to no chunk.");
        const number = file.start + row - file.first;
        vectorSearch.set(number, coarseFromBytes(vector, dimensions));
        vectorFlags.array[number] = 1;
      }
    },
    reserve: () => vectorFlags.reserve(roster.count),
    has: (number) => vectorFlags.array[number] === 1,
    nearest(vector, limit, visible) {
      const vectorSearch = search;
      if (vectorSearch === undefined || vectorSearch.dimensions !== vector.length) return [];
      const { mask, total } = roster.visibleChunks(visible);
      return mapErrors(() => vectorSearch.nearest(vector, limit, { mask, visibleCount: total, count: roster.count }));
    },
    compare(numbers, questions) {
      const vectorSearch = search;
      if (vectorSearch === undefined || vectorSearch.dimensions !== questions[0]?.length) return new Map();
      const withVectors = numbers.filter((number) => vectorFlags.array[number] === 1);
      return mapErrors(() => vectorSearch.compare(withVectors, questions));
    },
    set(embedder, vectors) {
      const [firstVectors] = vectors.values();
      if (firstVectors === undefined) return;
      if (mapErrors(() => rows.meta("embedder")) !== embedder) reset(embedder, firstVectors.whole.length);
      const locatedChunks = locate([...vectors.keys()]).flatMap(({ number, id }) => {
        const chunkVectors = vectors.get(number);
        return chunkVectors === undefined ? [] : [{ number, chunkVectors, id }];
      });
      transact(() => {
        for (const { id, chunkVectors } of locatedChunks) rows.putVectors(id, chunkVectors);
      });
      for (const { number, chunkVectors } of locatedChunks) {
        searchOf(firstVectors.whole.length).set(number, splitVector(chunkVectors.whole).coarse);
        vectorFlags.array[number] = 1;
      }
    },
  };
};
