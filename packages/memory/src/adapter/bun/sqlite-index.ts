/**
 * The index in SQLite. Texts and vectors are on disk. Words, lengths and coarse vectors of whole
 * chunks are also in memory, where searches run. A change is first committed to disk, then applied
 * in memory.
 */
import type { ChunkIndex, IndexedChunk, IndexedFile, VisibilityFilter } from "../../index/chunk-index.ts";
import { createCachedStemmer } from "../../chunks/terms.ts";
import { type Columns, textCount, toColumns } from "../../index/columns.ts";
import type { PackedChunk } from "../../index/packed.ts";
import { countsIn } from "../../index/postings.ts";
import { createChunkCatalog, type LoadedFile, type FileRemoval, type ChunkCatalog } from "./chunk-catalog.ts";
import { mapSqliteErrors, flushIndexFile, deleteDamagedCopy, openIndexFile } from "./index-file.ts";
import { createIndexRows, type FileRow, type IndexRows } from "./index-rows.ts";
import { createIndexVectors } from "./index-vectors.ts";

export interface SqliteIndexOptions {
  /** Path of `index.db`. Its folder is created. */
  readonly path: string;
  /** Vectors of any other embedder are dropped. */
  readonly embedder?: { readonly name: string; readonly dimensions: number };
}

/** Number of chunks above which a garbage collection after opening is worth its time. */
const GC_MIN_CHUNKS = 50_000;

/**
 * Opens the index. Throws `memory.damaged` if the file is not an intact index. It can then be set
 * aside. Every method that finds damage throws the same.
 */
export const openSqliteIndex = ({ path: file, embedder }: SqliteIndexOptions): ChunkIndex => {
  const database = openIndexFile(file);
  const mapErrors = <Result>(work: () => Result): Result => mapSqliteErrors(file, work);
  const transact = <Result>(work: () => Result): Result => mapErrors(() => database.transaction(work)());
  const catalog = createChunkCatalog();
  const { loadedFiles, roster, postings, vocabulary, lexical } = catalog;
  const { rows, vectors } = closeOnError(database, () =>
    mapErrors(() => {
      const indexRows = createIndexRows(database);
      for (const { id, term } of indexRows.terms()) vocabulary.add(term, id);
      for (const row of indexRows.files()) catalog.addFile(row);
      const indexVectors = createIndexVectors({ catalog: catalog, rows: indexRows, mapErrors: mapErrors, transact });
      indexVectors.reserve();
      indexVectors.load(embedder);
      return { rows: indexRows, vectors: indexVectors };
    }),
  );
  // The rows that were read take more memory than the data that is kept of them.
  if (roster.count > GC_MIN_CHUNKS) Bun.gc(true);
  const stem = createCachedStemmer();
  let isClosed = false;

  /** Deletes a file's rows. Terms of the chunks `replacement`, which replace the file, stay. */
  const deleteRows = (loadedFile: LoadedFile, replacement: readonly PackedChunk[] = []): FileRemoval => {
    const words = rows.words(loadedFile.path);
    rows.deleteFile(loadedFile);
    return { words, terms: vocabulary.unused(words, replacement).map((id) => rows.deleteTerm(id)) };
  };
  const toIndexed = (numbers: readonly number[], mask: Uint8Array): readonly IndexedChunk[] =>
    readChunks({ catalog: catalog, rows }, numbers, mask);

  return {
    put({ path, hash, chunks }) {
      const previous = loadedFiles.get(path);
      const draft = vocabulary.draft();
      const words = chunks.map((chunk) => toPacked(chunk, toColumns(chunk, stem), draft.idOf));
      const row: FileRow = { path, hash, first: catalog.nextRow(), size: chunks.length, words };
      const removal = transact(() => {
        const deleted = previous === undefined ? undefined : deleteRows(previous, words);
        for (const [term, id] of draft.terms) rows.insertTerm(id, term);
        rows.insertFile(row, chunks);
        return deleted;
      });
      for (const [term, id] of draft.terms) vocabulary.add(term, id);
      if (previous !== undefined && removal !== undefined) catalog.removeFile(previous, removal);
      catalog.addFile(row);
      vectors.reserve();
    },
    remove(path) {
      const loadedFile = loadedFiles.get(path);
      if (loadedFile === undefined) return;
      const removal = transact(() => deleteRows(loadedFile));
      catalog.removeFile(loadedFile, removal);
      mapErrors(() => flushIndexFile(database));
    },
    scrub: () =>
      mapErrors(() => {
        flushIndexFile(database);
        deleteDamagedCopy(file);
      }),
    files: () => new Map(Array.from(loadedFiles.values(), ({ path, hash }) => [path, hash])),
    lexical: (terms, limit, visible) =>
      mapErrors(() => lexical.search(catalog.postingListsOf(terms), limit, roster.visibleChunks(visible))),
    nearest: vectors.nearest,
    frequencies(terms, visible) {
      const scope = roster.visibleChunks(visible);
      const countOf = (term: string): number => {
        const id = vocabulary.get(term);
        return id === undefined ? 0 : lexical.count(postings.read(id), scope);
      };
      return { counts: terms.map(countOf), total: scope.total };
    },
    chunks(numbers, visible: VisibilityFilter) {
      const { mask } = roster.visibleChunks(visible);
      const visibleNumbers = numbers.filter((number) => mask[number] === 1);
      return mapErrors(() => toIndexed(visibleNumbers, mask));
    },
    occurrences(terms, numbers) {
      const counts = new Uint8Array(numbers.length * terms.length);
      for (const [termIndex, term] of terms.entries()) {
        const id = vocabulary.get(term);
        if (id === undefined) continue;
        const list = postings.read(id);
        for (let index = 0; index < numbers.length; index += 1) {
          counts[index * terms.length + termIndex] = textCount(countsIn(list, numbers[index] ?? 0));
        }
      }
      return { counts, lengths: Uint16Array.from(numbers, roster.textLengthOf) };
    },
    compare: vectors.compare,
    chunksWithoutVectors(limit) {
      const { mask } = roster.visibleChunks({});
      const numbers: number[] = [];
      for (let number = roster.count - 1; number >= 0 && numbers.length < limit; number -= 1) {
        if (mask[number] === 1 && !vectors.has(number)) numbers.push(number);
      }
      return mapErrors(() => toIndexed(numbers, mask));
    },
    countWithoutVectors() {
      const { mask } = roster.visibleChunks({});
      let count = 0;
      for (let number = 0; number < roster.count; number += 1) {
        if (mask[number] === 1 && !vectors.has(number)) count += 1;
      }
      return count;
    },
    setVectors: vectors.set,
    speakers: (visible) => roster.speakers(visible),
    [Symbol.dispose]() {
      if (isClosed) return;
      isClosed = true;
      try {
        flushIndexFile(database);
      } finally {
        database.close();
      }
    },
  };
};

const closeOnError = <Result>(database: { close(): void }, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Reads the chunks with these numbers, with those of their neighbours that the mask contains. */
const readChunks = (
  { catalog, rows }: { readonly catalog: ChunkCatalog; readonly rows: IndexRows },
  numbers: readonly number[],
  mask: Uint8Array,
): readonly IndexedChunk[] => {
  const located = catalog.locate(numbers);
  const texts = rows.texts(located.map(({ id }) => id));
  return located.flatMap(({ number, file }, index) => {
    const ordinal = number - file.start;
    const text = texts[index];
    if (text === undefined) return [];
    const chunk = { number, path: file.path, ordinal, ...catalog.roster.kindOf(number), ...text };
    return {
      ...chunk,
      ...(ordinal > 0 && mask[number - 1] === 1 ? { previous: number - 1 } : {}),
      ...(ordinal + 1 < file.size && mask[number + 1] === 1 ? { next: number + 1 } : {}),
    };
  });
};

const toPacked = (
  chunk: IndexedFile["chunks"][number],
  columns: Columns,
  idOf: (term: string) => number,
): PackedChunk => {
  const { counts, textLength, ownLength } = columns;
  const { audience, integrity, speaker = "" } = chunk;
  const terms = Array.from(counts.keys(), idOf);
  return { audience, integrity, speaker, textLength, ownLength, terms, counts: [...counts.values()] };
};
