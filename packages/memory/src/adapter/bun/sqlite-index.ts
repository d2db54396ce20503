/**
 * The index in SQLite. Texts and vectors are on disk; words, lengths and coarse vectors of whole
 * chunks are also in memory, where searches run. A change is first committed to disk, then applied
 * in memory.
 */
import type { ChunkIndex, IndexedChunk, IndexedFile, Visible } from "../../index/chunk-index.ts";
import { createStems } from "../../chunks/terms.ts";
import { type Columns, textCount, toColumns } from "../../index/columns.ts";
import { part } from "../../index/coarse.ts";
import { createGrowing } from "../../index/growing.ts";
import { createLexical } from "../../index/lexical.ts";
import type { PackedChunk } from "../../index/packed.ts";
import { countsIn, createPostings, type PostingList } from "../../index/postings.ts";
import { createRoster } from "../../index/roster.ts";
import { createVocabulary } from "../../index/vocabulary.ts";
import { mapSqliteErrors, flushIndexFile, deleteSetAside, openIndexFile } from "./index-file.ts";
import { createIndexRows, type FileRow } from "./index-rows.ts";
import { createVectorSearch, type VectorSearch } from "./vector-search.ts";
import { coarseFromBytes } from "./vector-bytes.ts";

export interface SqliteIndexOptions {
  /** Path of `index.db`. Its folder is created. */
  readonly path: string;
  /** Vectors of any other embedder are dropped. */
  readonly embedder?: { readonly name: string; readonly dimensions: number };
}

/** A file in memory: `start` is the number of its first chunk, `first` that chunk's id on disk. */
type Place = Pick<FileRow, "path" | "hash" | "first" | "size"> & { readonly start: number };

/** A chunk in memory and its id on disk. */
interface Located {
  readonly number: number;
  readonly place: Place;
  readonly id: number;
}

/** From this many chunks on, a garbage collection after opening is worth its time. */
const LARGE = 50_000;

interface Gone {
  readonly words: readonly PackedChunk[];
  /** Terms that no chunk uses any longer. */
  readonly terms: readonly string[];
}

/**
 * Opens the index. Throws `memory.damaged` if the file is not an intact index; it can then be set
 * aside. Every method that finds damage throws the same.
 */
export const openSqliteIndex = ({ path: file, embedder }: SqliteIndexOptions): ChunkIndex => {
  const database = openIndexFile(file);
  const places = new Map<string, Place>();
  const roster = createRoster();
  const postings = createPostings();
  const vectored = createGrowing((length) => new Uint8Array(length));
  const order = (one: number, other: number): number => {
    const [onePath, otherPath] = [roster.pathOf(one), roster.pathOf(other)];
    if (onePath === otherPath) return one - other;
    return onePath < otherPath ? -1 : 1;
  };
  const lexical = createLexical(roster, order);
  const checked = <Result>(work: () => Result): Result => mapSqliteErrors(file, work);
  const rows = closingOnError(() => checked(() => createIndexRows(database)));
  const vocabulary = createVocabulary();
  const stem = createStems();
  let vectorSearch: VectorSearch | undefined;
  let nextRow = 1;
  let closed = false;

  function closingOnError<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      database.close();
      throw error;
    }
  }
  const transact = <Result>(work: () => Result): Result => checked(() => database.transaction(work)());

  const take = (row: FileRow): Place => {
    const start = roster.add(row.path, row.words);
    for (const [ordinal, { terms, counts }] of row.words.entries()) {
      for (const [at, term] of terms.entries()) postings.add(term, start + ordinal, counts[at] ?? 0);
      vocabulary.use(terms);
    }
    const { path, hash, first, size } = row;
    const place = { path, hash, first, size, start };
    places.set(path, place);
    nextRow = Math.max(nextRow, first + size);
    vectored.reserve(roster.count);
    return place;
  };
  /** Deletes a file's rows. `come` are the chunks that replace it, whose terms stay. */
  const deleteRows = (place: Place, come: readonly PackedChunk[] = []): Gone => {
    const words = rows.words(place.path);
    rows.deleteFile(place);
    return { words, terms: vocabulary.unused(words, come).map((id) => rows.deleteTerm(id)) };
  };
  const leave = (place: Place, { words, terms: gone }: Gone): void => {
    places.delete(place.path);
    roster.remove(place.start, place.size);
    for (const { terms } of words) vocabulary.release(terms);
    for (const term of gone) vocabulary.forget(term);
  };

  const forgetVectors = (name: string, dimensions: number): void => {
    transact(() => {
      rows.deleteVectors();
      rows.putMeta("embedder", name);
      rows.putMeta("dimensions", String(dimensions));
    });
    vectored.array.fill(0);
    vectorSearch = undefined;
  };

  const vectorSearchOf = (dimensions: number): VectorSearch =>
    (vectorSearch ??= createVectorSearch({ dimensions, order, rows, locate }));

  const load = (): void => {
    for (const { id, term } of rows.terms()) vocabulary.add(term, id);
    for (const row of rows.files()) take(row);
    const known = rows.meta("embedder");
    const dimensions = Number(rows.meta("dimensions"));
    const isOther = embedder !== undefined && (known !== embedder.name || dimensions !== embedder.dimensions);
    if (isOther) return forgetVectors(embedder.name, embedder.dimensions);
    if (known === undefined) return;
    const loaded = vectorSearchOf(dimensions);
    const inOrder = places.values();
    let place = inOrder.next().value;
    for (const { chunk, vector } of rows.coarseVectors()) {
      while (place !== undefined && chunk >= place.first + place.size) place = inOrder.next().value;
      if (place === undefined || chunk < place.first) throw new RangeError("A vector belongs to no chunk.");
      const number = place.start + chunk - place.first;
      loaded.set(number, coarseFromBytes(vector, dimensions));
      vectored.array[number] = 1;
    }
  };
  closingOnError(() => checked(load));
  // The rows read from disk take more memory than what is kept of them.
  if (roster.count > LARGE) Bun.gc(true);

  const listsOf = function* (terms: Iterable<string>): Generator<PostingList> {
    for (const term of new Set(terms)) {
      const id = vocabulary.get(term);
      if (id !== undefined) yield postings.read(id);
    }
  };

  /** Returns the places of the chunks that exist, in the given order. */
  function locate(numbers: readonly number[]): readonly Located[] {
    const located: Located[] = [];
    let place: Place | undefined;
    for (const number of numbers) {
      if (!roster.has(number)) continue;
      // Requested numbers are usually neighbours in one file.
      if (place === undefined || number < place.start || number >= place.start + place.size) {
        place = places.get(roster.pathOf(number));
      }
      if (place !== undefined) located.push({ number, place, id: place.first + number - place.start });
    }
    return located;
  }
  const toIndexed = (numbers: readonly number[], mask: Uint8Array): readonly IndexedChunk[] => {
    const located = locate(numbers);
    const texts = rows.texts(located.map(({ id }) => id));
    return located.flatMap(({ number, place }, at) => {
      const ordinal = number - place.start;
      const text = texts[at];
      if (text === undefined) return [];
      const about = { number, path: place.path, ordinal, ...roster.kindOf(number), ...text };
      return {
        ...about,
        ...(ordinal > 0 && mask[number - 1] === 1 ? { previous: number - 1 } : {}),
        ...(ordinal + 1 < place.size && mask[number + 1] === 1 ? { next: number + 1 } : {}),
      };
    });
  };

  const remove = (path: string): void => {
    const place = places.get(path);
    if (place === undefined) return;
    leave(
      place,
      transact(() => deleteRows(place)),
    );
    checked(() => flushIndexFile(database));
  };

  return {
    put({ path, hash, chunks }) {
      const before = places.get(path);
      const fresh = vocabulary.draft();
      const words = chunks.map((chunk) => toPacked(chunk, toColumns(chunk, stem), fresh.idOf));
      const row: FileRow = { path, hash, first: nextRow, size: chunks.length, words };
      const gone = transact(() => {
        const deleted = before === undefined ? undefined : deleteRows(before, words);
        for (const [term, id] of fresh.terms) rows.insertTerm(id, term);
        rows.insertFile(row, chunks);
        return deleted;
      });
      for (const [term, id] of fresh.terms) vocabulary.add(term, id);
      if (before !== undefined && gone !== undefined) leave(before, gone);
      take(row);
    },
    remove,
    scrub: () =>
      checked(() => {
        flushIndexFile(database);
        deleteSetAside(file);
      }),
    files: () => new Map(Array.from(places.values(), ({ path, hash }) => [path, hash])),
    lexical: (terms, limit, visible) => checked(() => lexical.search(listsOf(terms), limit, roster.sight(visible))),
    nearest(vector, limit, visible) {
      const known = vectorSearch;
      if (known === undefined || known.dimensions !== vector.length) return [];
      const { mask, total } = roster.sight(visible);
      return checked(() => known.nearest(vector, limit, { mask, visible: total, count: roster.count }));
    },
    frequencies(terms, visible) {
      const sight = roster.sight(visible);
      const countOf = (term: string): number => {
        const id = vocabulary.get(term);
        return id === undefined ? 0 : lexical.count(postings.read(id), sight);
      };
      return { counts: terms.map(countOf), total: sight.total };
    },
    chunks(numbers, visible: Visible) {
      const { mask } = roster.sight(visible);
      const seen = numbers.filter((number) => mask[number] === 1);
      return checked(() => toIndexed(seen, mask));
    },
    occurrences(terms, numbers) {
      const counts = new Uint8Array(numbers.length * terms.length);
      for (const [place, term] of terms.entries()) {
        const id = vocabulary.get(term);
        if (id === undefined) continue;
        const list = postings.read(id);
        for (let at = 0; at < numbers.length; at += 1) {
          counts[at * terms.length + place] = textCount(countsIn(list, numbers[at] ?? 0));
        }
      }
      return { counts, lengths: Uint16Array.from(numbers, roster.textLengthOf) };
    },
    compare(numbers, questions) {
      const known = vectorSearch;
      if (known === undefined || known.dimensions !== questions[0]?.length) return new Map();
      const seen = numbers.filter((number) => vectored.array[number] === 1);
      return checked(() => known.compare(seen, questions));
    },
    waiting(limit) {
      const { mask } = roster.sight({});
      const numbers: number[] = [];
      for (let number = roster.count - 1; number >= 0 && numbers.length < limit; number -= 1) {
        if (mask[number] === 1 && vectored.array[number] !== 1) numbers.push(number);
      }
      return checked(() => toIndexed(numbers, mask));
    },
    countWaiting() {
      const { mask } = roster.sight({});
      let count = 0;
      for (let number = 0; number < roster.count; number += 1) {
        if (mask[number] === 1 && vectored.array[number] !== 1) count += 1;
      }
      return count;
    },
    setVectors(name, vectors) {
      const [first] = vectors.values();
      if (first === undefined) return;
      if (checked(() => rows.meta("embedder")) !== name) forgetVectors(name, first.whole.length);
      const located = locate([...vectors.keys()]).flatMap(({ number, id }) => {
        const made = vectors.get(number);
        return made === undefined ? [] : [{ number, made, id }];
      });
      transact(() => {
        for (const { id, made } of located) rows.putVectors(id, made);
      });
      for (const { number, made } of located) {
        vectorSearchOf(first.whole.length).set(number, part(made.whole).coarse);
        vectored.array[number] = 1;
      }
    },
    speakers: (visible) => roster.speakers(visible),
    [Symbol.dispose]() {
      if (closed) return;
      closed = true;
      try {
        flushIndexFile(database);
      } finally {
        database.close();
      }
    },
  };
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
