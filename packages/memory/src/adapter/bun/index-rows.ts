/** The SQL statements of the index file. The caller makes each change one transaction. */
import type { Database } from "bun:sqlite";
import type { Chunk } from "../../chunks/chunk.ts";
import type { ChunkVectors, IndexedChunk } from "../../index/chunk-index.ts";
import { type PackedChunk, pack, unpack } from "../../index/packed.ts";
import { splitVector } from "../../index/coarse.ts";
import { coarseToBytes, fineToBytes } from "./vector-bytes.ts";

export interface FileRow {
  readonly path: string;
  readonly hash: string;
  /** Id of the file's first chunk. The ids of the others follow without a gap. */
  readonly first: number;
  readonly size: number;
  readonly words: readonly PackedChunk[];
}

export type ChunkText = Omit<Chunk, "path" | "ordinal"> & Pick<IndexedChunk, "supersededBy">;

export interface IndexRows {
  files(): Iterable<FileRow>;
  words(path: string): readonly PackedChunk[];
  insertFile(row: FileRow, texts: readonly ChunkText[]): void;
  deleteFile(row: Pick<FileRow, "path" | "first" | "size">): void;
  /** Returns texts in the order of `ids`. Throws a RangeError if one is missing. */
  texts(ids: readonly number[]): readonly ChunkText[];
  terms(): Iterable<{ readonly id: number; readonly term: string }>;
  insertTerm(id: number, term: string): void;
  /** Returns the deleted term. */
  deleteTerm(id: number): string;
  /** Yields the coarse vector of each chunk. */
  coarseVectors(): Iterable<{ readonly chunk: number; readonly vector: Uint8Array }>;
  /**
   * Returns, in the order of `ids`, the remainder of each coarse vector and the chunk's other
   * vectors. Throws a RangeError if one is missing.
   */
  fineVectors(ids: readonly number[]): readonly Uint8Array[];
  putVectors(id: number, vectors: ChunkVectors): void;
  /** Deletes all vectors. */
  deleteVectors(): void;
  meta(key: string): string | undefined;
  putMeta(key: string, value: string): void;
}

export const createIndexRows = (database: Database): IndexRows => {
  const files = database.prepare<
    { path: string; hash: string; first: number; size: number; words: Uint8Array; checksum: number },
    []
  >("select * from files order by first");
  const words = database.prepare<{ words: Uint8Array; checksum: number }, [string]>(
    "select words, checksum from files where path = ?",
  );
  const insertFile = database.prepare<null, [string, string, number, number, Uint8Array, number]>(
    "insert into files (path, hash, first, size, words, checksum) values (?, ?, ?, ?, ?, ?)",
  );
  const insertChunk = database.prepare<null, [number, string, number]>("insert into chunks values (?, ?, ?)");
  const deleteFile = database.prepare<null, [string]>("delete from files where path = ?");
  const deleteRows = [
    "delete from chunks where id",
    "delete from coarse_vectors where chunk",
    "delete from fine_vectors where chunk",
  ].map((statement) =>
    database.prepare<null, [number, number]>(`${statement} >= ? and ${statement.split(" ").at(-1)} < ?`),
  );
  // Reads all ids with one query, because a query per id takes as long as reading the rows.
  const texts = database.prepare<{ id: number; body: string; checksum: number }, [string]>(
    "select id, body, checksum from chunks where id in (select value from json_each(?))",
  );
  const terms = database.prepare<{ id: number; term: string }, []>("select id, term from terms order by id");
  const insertTerm = database.prepare<null, [number, string]>("insert into terms (id, term) values (?, ?)");
  const deleteTerm = database.prepare<{ term: string }, [number]>("delete from terms where id = ? returning term");
  const coarseVectors = database.prepare<{ chunk: number; vector: Uint8Array }, []>(
    "select chunk, vector from coarse_vectors order by chunk",
  );
  const fineVectors = database.prepare<{ chunk: number; vectors: Uint8Array }, [string]>(
    "select chunk, vectors from fine_vectors where chunk in (select value from json_each(?))",
  );
  const putCoarse = database.prepare<null, [number, Uint8Array]>("insert or replace into coarse_vectors values (?, ?)");
  const putFine = database.prepare<null, [number, Uint8Array]>("insert or replace into fine_vectors values (?, ?)");
  const meta = database.prepare<{ value: string }, [string]>("select value from meta where key = ?");
  const putMeta = database.prepare<null, [string, string]>("insert or replace into meta values (?, ?)");

  return {
    *files() {
      for (const { words: bytes, checksum, ...row } of files.iterate()) {
        yield { ...row, words: unpackChecked(bytes, checksum) };
      }
    },
    words(path) {
      const row = words.get(path);
      return row === null ? [] : unpackChecked(row.words, row.checksum);
    },
    insertFile({ path, hash, first, size, words: packed }, texts) {
      const bytes = pack(packed);
      insertFile.run(path, hash, first, size, bytes, Bun.hash.crc32(bytes));
      for (const [ordinal, { id, headings, lines, text, date, speaker, supersededBy }] of texts.entries()) {
        const body = JSON.stringify({ id, headings, lines, text, date, speaker, supersededBy });
        insertChunk.run(first + ordinal, body, Bun.hash.crc32(body));
      }
    },
    deleteFile({ path, first, size }) {
      deleteFile.run(path);
      for (const statement of deleteRows) statement.run(first, first + size);
    },
    texts(ids) {
      const textsById = new Map<number, ChunkText>();
      for (const { id, body, checksum } of texts.all(JSON.stringify(ids))) {
        if (Bun.hash.crc32(body) !== checksum) throw new RangeError(`The checksum of chunk ${id} is wrong.`);
        // The checksum proves that `insertFile` wrote this JSON.
        textsById.set(id, JSON.parse(body) as ChunkText);
      }
      return sortByIds(textsById, ids);
    },
    terms: () => terms.iterate(),
    insertTerm: (id, term) => {
      insertTerm.run(id, term);
    },
    deleteTerm(id) {
      const row = deleteTerm.get(id);
      if (row === null) throw new RangeError(`Term ${id} is missing.`);
      return row.term;
    },
    coarseVectors: () => coarseVectors.iterate(),
    fineVectors(ids) {
      const vectorsById = new Map<number, Uint8Array>();
      for (const { chunk, vectors } of fineVectors.all(JSON.stringify(ids))) vectorsById.set(chunk, vectors);
      return sortByIds(vectorsById, ids);
    },
    putVectors(id, vectors) {
      const { coarse, residual } = splitVector(vectors.whole);
      putCoarse.run(id, coarseToBytes(coarse));
      putFine.run(id, fineToBytes(residual, vectors));
    },
    deleteVectors: () => {
      database.run("delete from coarse_vectors; delete from fine_vectors;");
    },
    meta: (key) => meta.get(key)?.value,
    putMeta: (key, value) => {
      putMeta.run(key, value);
    },
  };
};

const sortByIds = <Item>(itemsById: ReadonlyMap<number, Item>, ids: readonly number[]): readonly Item[] =>
  ids.map((id) => {
    const item = itemsById.get(id);
    if (item === undefined) throw new RangeError(`A row of chunk ${id} is missing.`);
    return item;
  });

const unpackChecked = (bytes: Uint8Array, checksum: number): readonly PackedChunk[] => {
  if (Bun.hash.crc32(bytes) !== checksum) throw new RangeError("The checksum of a file's words is wrong.");
  return unpack(bytes);
};
