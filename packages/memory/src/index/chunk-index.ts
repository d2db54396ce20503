/**
 * The index of one brain's chunks, by words and by vectors. It is derived from the files: a rebuild
 * gives the same bytes.
 */
import type { Chunk } from "../chunks/chunk.ts";

/** Identifies a chunk while the index is open. */
export type ChunkNumber = number;

/**
 * The chunks that a search may see. It applies before ranking and counting, so that hidden chunks
 * cannot be inferred.
 */
export interface VisibilityFilter {
  /** Visible audiences, such as "private" or "room:…". With undefined, all audiences are visible. */
  readonly audiences?: readonly string[];
  readonly integrity?: "trusted" | "any";
  /** Shows only files whose path starts with this text. */
  readonly under?: string;
  /** Paths of files to leave out. */
  readonly except?: readonly string[];
}

export interface ScoredChunk {
  readonly chunk: ChunkNumber;
  /** Higher is better. */
  readonly score: number;
}

/** A chunk with its position in the index and its provenance. */
export interface IndexedChunk extends Chunk {
  readonly number: ChunkNumber;
  readonly audience: string;
  readonly integrity: "owner" | "trusted" | "untrusted";
  /** The neighbours in the same file, if they are visible. */
  readonly previous?: ChunkNumber;
  readonly next?: ChunkNumber;
  /** Id of the newer chunk that declares this one outdated. */
  readonly supersededBy?: string;
}

/** The vectors of a chunk. They are missing until the embedder has caught up. */
export interface ChunkVectors {
  /** Vector of "[date] Speaker: text". */
  readonly whole: Float32Array;
  /** Vector of "Speaker: sentence" for each sentence. */
  readonly sentences: readonly Float32Array[];
  /** Vector of the previous chunk and this one. */
  readonly withPrevious: Float32Array;
  /** Vector of the previous chunk, this one and the next. */
  readonly window: Float32Array;
}

/** Cosines of a chunk's vectors with a question. */
export interface Similarity {
  readonly whole: number;
  /** Cosine of the nearest sentence. NaN for a chunk without sentences. */
  readonly sentence: number;
  readonly withPrevious: number;
  readonly window: number;
}

export interface Comparison {
  readonly whole: Float32Array;
  /** The cosines for each question. */
  readonly similarities: readonly Similarity[];
}

/** Number of occurrences of each term in each chunk's text, chunk by chunk, at most 15. */
export interface Occurrences {
  readonly counts: Uint8Array;
  /** Number of terms in each chunk's text. */
  readonly lengths: Uint16Array;
}

/** A file to put into the index. */
export interface IndexedFile {
  readonly path: string;
  /** Hash of the file's bytes, so that unchanged files are not read again. */
  readonly hash: string;
  readonly chunks: readonly (Chunk & Pick<IndexedChunk, "audience" | "integrity" | "supersededBy">)[];
}

/**
 * Contract, checked by `chunkIndexConformance` for memory and SQLite:
 * - `put` atomically replaces the file of the same path; `remove` deletes everything, vectors
 *   included
 * - a chunk is found by its words once `put` returns, by meaning once its vectors are set
 * - an invisible chunk is not among the hits, changes no score and is not counted
 * - the same files in any order give the same answers
 */
export interface ChunkIndex extends Disposable {
  put(file: IndexedFile): void;
  remove(path: string): void;
  /** Erases removed and replaced text from the disk. */
  scrub(): void;
  /** Returns the hash of every indexed file by its path. */
  files(): ReadonlyMap<string, string>;
  /**
   * BM25 over stemmed words of four columns: text (weight 1), speaker (.5), date (.2), and the text
   * of the neighbours (.5). `terms` come from `toTerms`. The best chunk is first, and equal scores
   * are ordered by path and position.
   */
  lexical(terms: readonly string[], limit: number, visible: VisibilityFilter): readonly ScoredChunk[];
  /**
   * Ranks by the cosine of the whole chunk's vector, best first. Finds at least 99% of the exact
   * nearest ten.
   */
  nearest(vector: Float32Array, limit: number, visible: VisibilityFilter): readonly ScoredChunk[];
  /** Returns how many visible chunks contain each term, and the number of visible chunks. */
  frequencies(
    terms: readonly string[],
    visible: VisibilityFilter,
  ): { readonly counts: readonly number[]; readonly total: number };
  chunks(numbers: readonly ChunkNumber[], visible: VisibilityFilter): readonly IndexedChunk[];
  /** Returns how often each term occurs. Accepts only chunks that exist. */
  occurrences(terms: readonly string[], numbers: readonly ChunkNumber[]): Occurrences;
  /** Compares chunks with questions. Leaves out chunks without vectors of the questions' size. */
  compare(numbers: readonly ChunkNumber[], questions: readonly Float32Array[]): ReadonlyMap<ChunkNumber, Comparison>;
  /** Returns chunks without vectors, newest first. */
  chunksWithoutVectors(limit: number): readonly IndexedChunk[];
  countWithoutVectors(): number;
  setVectors(embedder: string, vectors: ReadonlyMap<ChunkNumber, ChunkVectors>): void;
  /** Returns the speakers of the visible chunks. */
  speakers(visible: VisibilityFilter): readonly string[];
}
