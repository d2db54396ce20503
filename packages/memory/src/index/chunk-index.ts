/** The chunks of one brain, found by their words and by what they mean. Derived: delete it, and a rebuild is the same byte for byte. */
import type { Chunk } from "../chunks/chunk.ts";

/** A number that names a chunk while the index is open. */
export type ChunkNumber = number;

/** Whose words a chunk is for. Asked before anything is ranked or counted, so that what is hidden cannot be inferred. */
export interface Visible {
  /** Audiences, such as "private" or "room:…", whose chunks are seen. Everything, when left out. */
  readonly audiences?: readonly string[];
  readonly integrity?: "trusted" | "any";
  /** Only files whose path begins so. */
  readonly under?: string;
}

export interface Scored {
  readonly chunk: ChunkNumber;
  /** Greater is better. */
  readonly score: number;
}

/** A chunk with what its place gives it. */
export interface IndexedChunk extends Chunk {
  readonly number: ChunkNumber;
  readonly audience: string;
  readonly integrity: "owner" | "trusted" | "untrusted";
  /** The chunks before and after it in its file, when they are visible. */
  readonly previous?: ChunkNumber;
  readonly next?: ChunkNumber;
  /** Where a newer chunk says that this one does not hold any more: its id. */
  readonly supersededBy?: string;
}

/** What a chunk means. Missing until the embedder has caught up. */
export interface ChunkVectors {
  /** "[date] Speaker: text". */
  readonly whole: Float32Array;
  /** "Speaker: sentence", each. */
  readonly sentences: readonly Float32Array[];
  /** The previous chunk and this one. */
  readonly withPrevious: Float32Array;
  /** The previous chunk, this one and the next. */
  readonly window: Float32Array;
}

/** How like a question a chunk is: cosines, by the texts that its vectors are of. */
export interface Likeness {
  readonly whole: number;
  /** Of the sentence that is nearest; NaN where there is none. */
  readonly sentence: number;
  readonly withPrevious: number;
  readonly window: number;
}

export interface Compared {
  readonly whole: Float32Array;
  /** One for each question. */
  readonly likenesses: readonly Likeness[];
}

/** Chunk by chunk, and of each term by term, how often it stands in the text: what comes after the fifteenth time does not count. */
export interface Occurrences {
  readonly counts: Uint8Array;
  /** Terms that each chunk's text has. */
  readonly lengths: Uint16Array;
}

/** A file as it is put into the index. */
export interface IndexedFile {
  readonly path: string;
  /** Of the file's bytes, so that a file that did not change is not read again. */
  readonly hash: string;
  readonly chunks: readonly (Chunk & Pick<IndexedChunk, "audience" | "integrity" | "supersededBy">)[];
}

/**
 * Contract, checked by `chunkIndexConformance` for memory and SQLite:
 * - a file that is put replaces the one of its path, whole or not at all; what is removed leaves nothing, vectors included
 * - a chunk is found by its words from the moment `put` returns, by its meaning from the moment its vectors were set
 * - nothing that is not visible is among the hits, moves a score, or is counted
 * - the same files in whatever order give the same answers
 */
export interface ChunkIndex extends Disposable {
  put(file: IndexedFile): void;
  remove(path: string): void;
  /** What was removed, or replaced by what was put, is nowhere on the disk from then on. */
  scrub(): void;
  /** Path → hash of every file in it. */
  files(): ReadonlyMap<string, string>;
  /**
   * BM25 over stemmed words of four columns: text 1, speaker .5, date .2, and the neighbours' text .5. `terms` are as `toTerms` makes them.
   * Best first; what stands first in its file first where scores are even.
   */
  lexical(terms: readonly string[], limit: number, visible: Visible): readonly Scored[];
  /** By cosine of the whole chunk's vector. Best first; at least 99 of 100 of the exact nearest ten. */
  nearest(vector: Float32Array, limit: number, visible: Visible): readonly Scored[];
  /** In how many of the visible chunks each term stands, and how many there are. */
  frequencies(
    terms: readonly string[],
    visible: Visible,
  ): { readonly counts: readonly number[]; readonly total: number };
  chunks(numbers: readonly ChunkNumber[], visible: Visible): readonly IndexedChunk[];
  /** Of chunks that are there. */
  occurrences(terms: readonly string[], numbers: readonly ChunkNumber[]): Occurrences;
  /** Of those that have vectors as long as the questions. */
  compare(numbers: readonly ChunkNumber[], questions: readonly Float32Array[]): ReadonlyMap<ChunkNumber, Compared>;
  /** Chunks that wait for their vectors, those that were put last first. */
  waiting(limit: number): readonly IndexedChunk[];
  countWaiting(): number;
  setVectors(embedder: string, vectors: ReadonlyMap<ChunkNumber, ChunkVectors>): void;
  /** Speakers of the visible chunks. */
  speakers(visible: Visible): readonly string[];
}
