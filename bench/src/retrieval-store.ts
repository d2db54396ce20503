/**
 * Builds an index of conversations with all vectors, which are cached in the temporary folder by
 * their texts.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Chunk,
  type ChunkIndex,
  type ChunkNumber,
  type ChunkVectors,
  createMemoryIndex,
  type Embedder,
  toTexts,
} from "@hearth/memory";

export type Say = (text: string) => void;

export interface Vectors {
  of(text: string): Float32Array | undefined;
}

/** Embeds texts, with progress messages. */
export const embedAll = async (embedder: Embedder, texts: readonly string[], say: Say): Promise<Vectors> => {
  const unique = [...new Set(texts)].sort();
  const { dimensions, name } = embedder;
  const key = createHash("sha256")
    .update(JSON.stringify([name, unique]))
    .digest("hex");
  const folder = join(tmpdir(), "hearth-bench-vectors");
  const path = join(folder, `${key.slice(0, 32)}.f32`);
  const numbers = (await read(path, unique.length * dimensions)) ?? (await make(embedder, unique, say));
  await mkdir(folder, { recursive: true });
  // Writes to another name first, so that an interrupted run leaves no partial file.
  await writeFile(`${path}.${process.pid}`, numbers);
  await rename(`${path}.${process.pid}`, path);
  const places = new Map(unique.map((text, at) => [text, at]));
  return {
    of(text) {
      const at = places.get(text);
      return at === undefined ? undefined : numbers.subarray(at * dimensions, (at + 1) * dimensions);
    },
  };
};

const read = async (path: string, length: number): Promise<Float32Array | undefined> => {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined || bytes.length !== length * 4) return undefined;
  return new Float32Array(new Uint8Array(bytes).buffer);
};

const BATCH = 512;

const make = async (embedder: Embedder, texts: readonly string[], say: Say): Promise<Float32Array> => {
  const numbers = new Float32Array(texts.length * embedder.dimensions);
  for (let from = 0; from < texts.length; from += BATCH) {
    say(`retrieval: ${from} of ${texts.length} texts have their vectors`);
    const vectors = await embedder.embed(texts.slice(from, from + BATCH));
    for (const [at, vector] of vectors.entries()) numbers.set(vector, (from + at) * embedder.dimensions);
  }
  return numbers;
};

export type Files = ReadonlyMap<string, readonly Chunk[]>;

/** Returns every text whose vector `createStore` needs. */
export const textsOf = (files: Files): readonly string[] =>
  [...files.values()].flatMap((chunks) =>
    chunks.flatMap((chunk, at) => {
      const { whole, sentences, withPrevious, window } = toTexts(chunk, chunks[at - 1], chunks[at + 1]);
      return [whole, ...sentences, withPrevious, window];
    }),
  );

export const createStore = (files: Files, name: string, vectors: Vectors): ChunkIndex => {
  const index = createMemoryIndex();
  for (const [path, chunks] of files) {
    const marked = chunks.map((chunk) => ({ ...chunk, audience: "private", integrity: "owner" as const }));
    index.put({ path, hash: path, chunks: marked });
  }
  const made = new Map<ChunkNumber, ChunkVectors>();
  for (const chunk of index.chunksWithoutVectors(Number.MAX_SAFE_INTEGER)) {
    const chunks = files.get(chunk.path) ?? [];
    const texts = toTexts(chunk, chunks[chunk.ordinal - 1], chunks[chunk.ordinal + 1]);
    const whole = vectors.of(texts.whole);
    const withPrevious = vectors.of(texts.withPrevious);
    const window = vectors.of(texts.window);
    if (whole === undefined || withPrevious === undefined || window === undefined) continue;
    const sentences = texts.sentences.flatMap((sentence) => vectors.of(sentence) ?? []);
    made.set(chunk.number, { whole, sentences, withPrevious, window });
  }
  index.setVectors(name, made);
  return index;
};
