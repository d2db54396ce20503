/**
 * Makes missing vectors in batches of the embedder's preferred size, while no request is waiting.
 */
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex, ChunkNumber, ChunkVectors, IndexedChunk } from "../index/chunk-index.ts";
import { toTexts } from "../chunks/texts.ts";

export interface VectorBackfillOptions {
  readonly embedder: Embedder;
  /** Resolves when no request is waiting. */
  readonly whenQuiet: () => Promise<void>;
}

/** Number of chunks whose vectors are stored together. */
const CHUNKS_PER_STEP = 16;
/**
 * Maximum number of cached vectors. The cache is useful because a file that changes by one line
 * keeps most of its texts.
 */
const MAX_CACHED_VECTORS = 4096;

export const createVectorBackfill = ({ embedder, whenQuiet }: VectorBackfillOptions) => {
  const vectorCache = new Map<string, Float32Array>();

  /** Embeds the texts that are not cached, and returns a lookup for all of them. */
  const embedAll = async (texts: readonly string[], signal: AbortSignal): Promise<(text: string) => Float32Array> => {
    const vectorByText = new Map<string, Float32Array>();
    for (const text of texts) {
      const cachedVector = vectorCache.get(text);
      if (cachedVector !== undefined) vectorByText.set(text, cachedVector);
    }
    const missingTexts = [...new Set(texts)].filter((text) => !vectorByText.has(text));
    for (let start = 0; start < missingTexts.length; start += embedder.batchSize) {
      const batch = missingTexts.slice(start, start + embedder.batchSize);
      await whenQuiet();
      const vectors = await embedder.embed(batch, signal);
      for (const [index, text] of batch.entries()) {
        const vector = vectors[index];
        if (vector === undefined) throw new Error("the embedder returned too few vectors");
        vectorByText.set(text, vector);
        if (vectorCache.size >= MAX_CACHED_VECTORS) vectorCache.delete(vectorCache.keys().next().value ?? "");
        vectorCache.set(text, vector);
      }
    }
    return (text) => {
      const vector = vectorByText.get(text);
      if (vector === undefined) throw new Error("a text was not embedded");
      return vector;
    };
  };

  return {
    /** Computes the vectors of one batch. Returns whether any were missing. */
    async step(index: ChunkIndex, signal: AbortSignal): Promise<boolean> {
      const waitingChunks = index.chunksWithoutVectors(CHUNKS_PER_STEP);
      const chunkTexts = waitingChunks.map((chunk) => ({
        number: chunk.number,
        texts: toTexts(chunk, findNeighbour(index, chunk, chunk.previous), findNeighbour(index, chunk, chunk.next)),
      }));
      const allTexts = chunkTexts.flatMap(({ texts }) => [
        ...texts.sentences,
        texts.whole,
        texts.withPrevious,
        texts.window,
      ]);
      const vectorOf = await embedAll(allTexts, signal);
      const vectors = new Map<ChunkNumber, ChunkVectors>(
        chunkTexts.map(({ number, texts: { sentences, whole, withPrevious, window } }) => [
          number,
          {
            whole: vectorOf(whole),
            withPrevious: vectorOf(withPrevious),
            window: vectorOf(window),
            sentences: sentences.map(vectorOf),
          },
        ]),
      );
      // The index ignores chunks that were removed in the meantime. Their numbers are never reused.
      if (vectors.size > 0) index.setVectors(embedder.name, vectors);
      return waitingChunks.length > 0;
    },
  };
};

/**
 * Returns the neighbour only if everyone who sees the chunk may see it: a vector must not reveal
 * hidden text.
 */
const findNeighbour = (
  index: ChunkIndex,
  chunk: IndexedChunk,
  number: ChunkNumber | undefined,
): IndexedChunk | undefined => {
  const [neighbour] = number === undefined ? [] : index.chunks([number], {});
  if (neighbour === undefined || neighbour.audience !== chunk.audience) return undefined;
  return neighbour.integrity === "untrusted" && chunk.integrity !== "untrusted" ? undefined : neighbour;
};
