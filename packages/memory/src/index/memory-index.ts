/**
 * An in-memory index that scans all chunks for each search. It is the reference for other indexes,
 * and serves small brains.
 */
import { inverseDocumentFrequency, bm25Weight } from "./bm25.ts";
import { createBestChunks, type TieOrder } from "./best.ts";
import type {
  ChunkIndex,
  ChunkNumber,
  ChunkVectors,
  IndexedChunk,
  IndexedFile,
  Similarity,
  VisibilityFilter,
} from "./chunk-index.ts";
import { type Columns, neighbourWeight, ownWeight, textCount, toColumns } from "./columns.ts";
import { isVisible } from "./visibility.ts";

interface Entry {
  readonly number: ChunkNumber;
  readonly chunk: IndexedFile["chunks"][number];
  readonly columns: Columns;
  readonly previous: Entry | undefined;
  next: Entry | undefined;
  vectors: ChunkVectors | undefined;
}

interface Row {
  readonly entry: Entry;
  /** The visible neighbours. */
  readonly neighbours: readonly Entry[];
  readonly length: number;
}

export const createMemoryIndex = (): ChunkIndex => {
  const paths = new Map<string, { readonly hash: string; readonly entries: readonly Entry[] }>();
  const entries = new Map<ChunkNumber, Entry>();
  let embedder: string | undefined;
  let count = 0;

  const order: TieOrder = (a, b) => compare(entries.get(a), entries.get(b));
  const visibleRows = (visible: VisibilityFilter): readonly Row[] =>
    [...entries.values()].filter(({ chunk }) => isVisible(chunk, visible)).map((entry) => toRow(entry, visible));

  const remove = (path: string): void => {
    for (const { number } of paths.get(path)?.entries ?? []) entries.delete(number);
    paths.delete(path);
  };

  return {
    put({ path, hash, chunks }) {
      remove(path);
      let previous: Entry | undefined;
      const newEntries = chunks.map((chunk): Entry => {
        const entry = {
          number: count,
          chunk,
          columns: toColumns(chunk),
          previous,
          next: undefined,
          vectors: undefined,
        };
        if (previous !== undefined) previous.next = entry;
        previous = entry;
        count += 1;
        entries.set(entry.number, entry);
        return entry;
      });
      paths.set(path, { hash, entries: newEntries });
    },
    remove,
    files: () => new Map([...paths].map(([path, { hash }]) => [path, hash])),

    lexical(terms, limit, visible) {
      const rows = visibleRows(visible);
      const meanLength = rows.reduce((sum, { length }) => sum + length, 0) / rows.length;
      const scores = new Map<ChunkNumber, number>();
      for (const term of new Set(terms)) {
        const matchingRows = rows
          .map((row) => ({ row, tenths: weightOf(row, term) }))
          .filter(({ tenths }) => tenths > 0);
        const weight = inverseDocumentFrequency(matchingRows.length, rows.length);
        for (const { row, tenths } of matchingRows) {
          const { number } = row.entry;
          scores.set(number, (scores.get(number) ?? 0) + weight * bm25Weight(tenths, row.length, meanLength));
        }
      }
      const best = createBestChunks(limit, order);
      for (const [number, score] of scores) best.offer(number, score);
      return best.results();
    },

    nearest(vector, limit, visible) {
      const best = createBestChunks(limit, order);
      for (const { entry } of visibleRows(visible)) {
        if (entry.vectors !== undefined) best.offer(entry.number, dot(vector, entry.vectors.whole));
      }
      return best.results();
    },

    frequencies(terms, visible) {
      const rows = visibleRows(visible);
      const countOf = (term: string): number => rows.filter(({ entry }) => entry.columns.counts.has(term)).length;
      return { counts: terms.map(countOf), total: rows.length };
    },

    chunks: (numbers, visible) =>
      numbers.flatMap((number) => {
        const entry = entries.get(number);
        return entry === undefined || !isVisible(entry.chunk, visible) ? [] : [toIndexed(entry, visible)];
      }),
    occurrences(terms, numbers) {
      const columns = numbers.map((number) => entries.get(number)?.columns);
      const countOf = (term: string, of: Columns | undefined): number => textCount(of?.counts.get(term) ?? 0);
      return {
        counts: Uint8Array.from(columns.flatMap((of) => terms.map((term) => countOf(term, of)))),
        lengths: Uint16Array.from(columns, (of) => of?.textLength ?? 0),
      };
    },
    compare: (numbers, questions) =>
      new Map(
        numbers.flatMap((number) => {
          const vectors = entries.get(number)?.vectors;
          if (vectors === undefined || vectors.whole.length !== questions[0]?.length) return [];
          const similarities = questions.map((question) => similarityOf(vectors, question));
          return [[number, { whole: vectors.whole, similarities }] as const];
        }),
      ),
    chunksWithoutVectors: (limit) =>
      [...entries.values()]
        .filter(({ vectors }) => vectors === undefined)
        .toReversed()
        .slice(0, limit)
        .map((entry) => toIndexed(entry, {})),
    countWithoutVectors: () => [...entries.values()].filter(({ vectors }) => vectors === undefined).length,
    setVectors(name, vectors) {
      if (name !== embedder) for (const entry of entries.values()) entry.vectors = undefined;
      embedder = name;
      for (const [number, chunkVectors] of vectors) {
        const entry = entries.get(number);
        if (entry !== undefined) entry.vectors = chunkVectors;
      }
    },
    speakers: (visible) => [...new Set(visibleRows(visible).flatMap(({ entry }) => entry.chunk.speaker ?? []))].sort(),
    scrub: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
};

const compare = (a: Entry | undefined, b: Entry | undefined): number => {
  if (a === undefined || b === undefined || a.chunk.path === b.chunk.path) {
    return (a?.number ?? 0) - (b?.number ?? 0);
  }
  return a.chunk.path < b.chunk.path ? -1 : 1;
};

const toRow = (entry: Entry, visible: VisibilityFilter): Row => {
  const neighbours = [entry.previous, entry.next].filter(
    (other) => other !== undefined && isVisible(other.chunk, visible),
  );
  return {
    entry,
    neighbours: neighbours.filter((other) => other !== undefined),
    length: neighbours.reduce((sum, other) => sum + (other?.columns.textLength ?? 0), entry.columns.ownLength),
  };
};

const weightOf = ({ entry, neighbours }: Row, term: string): number =>
  neighbours.reduce(
    (sum, { columns }) => sum + neighbourWeight(columns.counts.get(term) ?? 0),
    ownWeight(entry.columns.counts.get(term) ?? 0),
  );

const toIndexed = ({ number, chunk, previous, next }: Entry, visible: VisibilityFilter): IndexedChunk => ({
  ...chunk,
  number,
  ...(previous !== undefined && isVisible(previous.chunk, visible) ? { previous: previous.number } : {}),
  ...(next !== undefined && isVisible(next.chunk, visible) ? { next: next.number } : {}),
});

const similarityOf = (
  { whole, withPrevious, window, sentences }: ChunkVectors,
  question: Float32Array,
): Similarity => ({
  whole: dot(whole, question),
  sentence: sentences.length === 0 ? Number.NaN : Math.max(...sentences.map((sentence) => dot(sentence, question))),
  withPrevious: dot(withPrevious, question),
  window: dot(window, question),
});

const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
};
