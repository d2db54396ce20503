/** Small sample brains, questions and vectors for the test suites of indexes. */
import fc from "fast-check";
import type { ChunkIndex, ChunkVectors, IndexedFile, ScoredChunk, VisibilityFilter } from "./chunk-index.ts";

type NewPiece = Pick<IndexedFile["chunks"][number], "text"> & {
  readonly [Key in "audience" | "integrity" | "speaker" | "date" | "supersededBy"]?:
    | IndexedFile["chunks"][number][Key]
    | undefined;
};

const WORDS = [
  "bike",
  "shed",
  "anna",
  "lamp",
  "river",
  "bread",
  "2026",
  "stove",
  "train",
  "garden",
  "letter",
  "zürich",
];
export const AUDIENCES = ["private", "room:a", "room:b"] as const;
const PATHS = ["MEMORY.md", "memory/2026-05-01.md", "memory/2026-05-02.md", "notes/house.md", "é/x.md"];

const anyWord = fc.constantFrom(...WORDS);
export const anyText = fc.array(anyWord, { maxLength: 9 }).map((words) => words.join(" "));
const anyPiece = fc.record({
  text: anyText,
  audience: fc.constantFrom(...AUDIENCES),
  integrity: fc.constantFrom("owner", "trusted", "untrusted"),
  speaker: fc.option(fc.constantFrom("Anna", "Ben"), { nil: undefined }),
  date: fc.option(fc.constantFrom("2026-05-01", "2025-12-31"), { nil: undefined }),
  supersededBy: fc.option(fc.constant("f".repeat(64)), { nil: undefined }),
});

/** Makes a file whose lines and chunk ids are derived from its texts. */
export const makeFile = (path: string, pieces: readonly NewPiece[]): IndexedFile => ({
  path,
  hash: Bun.hash(JSON.stringify(pieces)).toString(16),
  chunks: pieces.map(({ text, audience = "private", integrity = "owner", speaker, date, supersededBy }, ordinal) => ({
    id: new Bun.CryptoHasher("sha256").update(`${path} ${ordinal} ${text}`).digest("hex"),
    path,
    ordinal,
    text,
    ...{
      headings: ["Notes", `Part ${ordinal}`],
      lines: [ordinal * 2 + 1, ordinal * 2 + 2] as const,
      audience,
      integrity,
    },
    ...(speaker === undefined ? {} : { speaker }),
    ...(date === undefined ? {} : { date }),
    ...(supersededBy === undefined ? {} : { supersededBy }),
  })),
});

export const anyFile = fc
  .record({ path: fc.constantFrom(...PATHS), pieces: fc.array(anyPiece, { maxLength: 6 }) })
  .map(({ path, pieces }) => makeFile(path, pieces));

export const anyVisible: fc.Arbitrary<VisibilityFilter> = fc
  .record({
    audiences: fc.option(fc.subarray([...AUDIENCES]), { nil: undefined }),
    integrity: fc.constantFrom("any" as const, "trusted" as const),
    under: fc.constantFrom("", "memory/", "MEMORY.md"),
    except: fc.subarray([...PATHS]),
  })
  .map(({ audiences, ...filter }) => ({ ...filter, ...(audiences === undefined ? {} : { audiences }) }));

export const DIMENSIONS = 32;

/** Returns a vector that depends on the text alone. */
export const vectorOf = (text: string): Float32Array => {
  let state = Number(BigInt.asUintN(31, BigInt(Bun.hash(text)))) | 1;
  const vector = Float32Array.from({ length: DIMENSIONS }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2 ** 31;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

export const vectorsOf = (text: string): ChunkVectors => ({
  whole: vectorOf(text),
  withPrevious: vectorOf(`previous ${text}`),
  window: vectorOf(`window ${text}`),
  sentences: text.split(" ").slice(0, 3).map(vectorOf),
});

/** Sets vectors for up to `limit` chunks that lack them. */
export const setMissingVectors = (index: ChunkIndex, limit = Infinity, embedder = "hash"): void => {
  const waitingChunks = index.chunksWithoutVectors(Math.min(limit, 10_000));
  if (waitingChunks.length > 0) {
    index.setVectors(embedder, new Map(waitingChunks.map(({ number, text }) => [number, vectorsOf(text)])));
  }
};

/** Identifies hits by chunk id, because numbers differ between indexes. */
export const identifyHits = (
  index: ChunkIndex,
  hits: readonly ScoredChunk[],
): readonly (readonly [id: string, score: number])[] => {
  const chunks = index.chunks(
    hits.map(({ chunk }) => chunk),
    {},
  );
  return hits.map(({ score }, index) => [
    `${chunks[index]?.path}#${chunks[index]?.ordinal} ${chunks[index]?.id}`,
    score,
  ]);
};

/**
 * Returns everything an index can answer, in a fixed order: equal for indexes with the same files.
 */
export const dump = (index: ChunkIndex): object => {
  const numbers = index
    .lexical(WORDS, 1_000_000, {})
    .concat(index.nearest(vectorOf(""), 1_000_000, {}))
    .map(({ chunk }) => chunk);
  const chunks = index.chunks([...new Set(numbers)], {});
  const chunkNumbers = chunks.map(({ number }) => number);
  const comparisons = index.compare(chunkNumbers, [vectorOf("question"), vectorOf("statement")]);
  const { counts, lengths } = index.occurrences(WORDS, chunkNumbers);
  const dumpedChunks = chunks.map(({ number, previous, next, ...chunk }, chunkIndex) => ({
    ...chunk,
    hasNeighbours: [previous !== undefined, next !== undefined],
    compared: comparisons.get(number),
    occurrences: [...counts.subarray(chunkIndex * WORDS.length, (chunkIndex + 1) * WORDS.length), lengths[chunkIndex]],
  }));
  return {
    files: new Map(index.files()),
    chunks: dumpedChunks.sort((a, b) => (`${a.path} ${a.ordinal}` < `${b.path} ${b.ordinal}` ? -1 : 1)),
    lexical: identifyHits(index, index.lexical(WORDS, 1_000_000, {})),
    nearest: identifyHits(index, index.nearest(vectorOf("question"), 1_000_000, {})),
    speakers: index.speakers({}),
    waiting: index.chunksWithoutVectors(1_000_000).length,
    frequencies: index.frequencies(WORDS, {}),
  };
};
