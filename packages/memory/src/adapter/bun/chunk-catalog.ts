/**
 * The in-memory part of a SQLite index: the chunks of each file, the terms of each chunk, and the
 * vocabulary.
 */
import { createLexicalSearch, type LexicalSearch } from "../../index/lexical.ts";
import type { PackedChunk } from "../../index/packed.ts";
import { createPostings, type PostingList, type Postings } from "../../index/postings.ts";
import { createRoster, type Roster } from "../../index/roster.ts";
import { createVocabulary, type Vocabulary } from "../../index/vocabulary.ts";
import type { FileRow } from "./index-rows.ts";

/**
 * A file in memory. `start` is the number of its first chunk while the index is open. `first` is
 * the row id of that chunk.
 */
export type LoadedFile = Pick<FileRow, "path" | "hash" | "first" | "size"> & { readonly start: number };

/** A chunk in memory, with its row id. */
export interface ChunkLocation {
  readonly number: number;
  readonly file: LoadedFile;
  readonly id: number;
}

/** The chunks and terms to remove together with a file. */
export interface FileRemoval {
  readonly words: readonly PackedChunk[];
  /** Terms that no chunk uses any longer. */
  readonly terms: readonly string[];
}

export interface ChunkCatalog {
  readonly loadedFiles: ReadonlyMap<string, LoadedFile>;
  readonly roster: Roster;
  readonly postings: Postings;
  readonly vocabulary: Vocabulary;
  readonly lexical: LexicalSearch;
  /** Returns the row id of the next new chunk. */
  nextRow(): number;
  addFile(row: FileRow): void;
  removeFile(file: LoadedFile, removal: FileRemoval): void;
  /** Returns the places of the chunks that exist, in the given order. */
  locate(numbers: readonly number[]): readonly ChunkLocation[];
  /** Compares two chunk numbers by path, and then by position in the file. */
  order(a: number, b: number): number;
  postingListsOf(terms: Iterable<string>): Generator<PostingList>;
}

export const createChunkCatalog = (): ChunkCatalog => {
  const loadedFiles = new Map<string, LoadedFile>();
  const roster = createRoster();
  const postings = createPostings();
  const vocabulary = createVocabulary();
  let nextRow = 1;

  const order = (a: number, b: number): number => {
    const [pathOfA, pathOfB] = [roster.pathOf(a), roster.pathOf(b)];
    if (pathOfA === pathOfB) return a - b;
    return pathOfA < pathOfB ? -1 : 1;
  };

  return {
    loadedFiles,
    roster,
    postings,
    vocabulary,
    lexical: createLexicalSearch(roster, order),
    nextRow: () => nextRow,
    addFile({ path, hash, first, size, words }) {
      const start = roster.add(path, words);
      for (const [ordinal, { terms, counts }] of words.entries()) {
        for (const [index, term] of terms.entries()) postings.add(term, start + ordinal, counts[index] ?? 0);
        vocabulary.use(terms);
      }
      loadedFiles.set(path, { path, hash, first, size, start });
      nextRow = Math.max(nextRow, first + size);
    },
    removeFile(file, { words, terms: unusedTerms }) {
      loadedFiles.delete(file.path);
      roster.remove(file.start, file.size);
      for (const { terms } of words) vocabulary.unuse(terms);
      for (const term of unusedTerms) vocabulary.forget(term);
    },
    locate(numbers) {
      const located: ChunkLocation[] = [];
      let file: LoadedFile | undefined;
      for (const number of numbers) {
        if (!roster.has(number)) continue;
        // Requested numbers are usually neighbours in one file.
        if (file === undefined || number < file.start || number >= file.start + file.size) {
          file = loadedFiles.get(roster.pathOf(number));
        }
        if (file !== undefined) located.push({ number, file, id: file.first + number - file.start });
      }
      return located;
    },
    order,
    *postingListsOf(terms) {
      for (const term of new Set(terms)) {
        const id = vocabulary.get(term);
        if (id !== undefined) yield postings.read(id);
      }
    },
  };
};
