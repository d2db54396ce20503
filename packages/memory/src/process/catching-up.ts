/** Vectors for chunks that have none: as many texts at once as the embedder takes best, whenever nobody asks anything. */
import type { Embedder } from "../embedders/embedder.ts";
import type { ChunkIndex, ChunkNumber, ChunkVectors, IndexedChunk } from "../index/chunk-index.ts";
import { toTexts } from "../chunks/texts.ts";

export interface CatchingUpOptions {
  readonly embedder: Embedder;
  /** Resolves when nobody waits for an answer. */
  readonly quiet: () => Promise<void>;
}

/** Chunks whose vectors are stored together. */
const BATCH = 16;
/** A file that is put again after a line more has mostly the same texts. */
const KEPT_VECTORS = 4096;

export const createCatchingUp = ({ embedder, quiet }: CatchingUpOptions) => {
  const kept = new Map<string, Float32Array>();

  /** Those of the last steps are kept, and all that are asked for now. */
  const embedAll = async (texts: readonly string[], signal: AbortSignal): Promise<(text: string) => Float32Array> => {
    const made = new Map<string, Float32Array>();
    for (const text of texts) {
      const known = kept.get(text);
      if (known !== undefined) made.set(text, known);
    }
    const missing = [...new Set(texts)].filter((text) => !made.has(text));
    for (let at = 0; at < missing.length; at += embedder.together) {
      const some = missing.slice(at, at + embedder.together);
      await quiet();
      const vectors = await embedder.embed(some, signal);
      for (const [place, text] of some.entries()) {
        const vector = vectors[place];
        if (vector === undefined) throw new Error("an embedder gave no vector");
        made.set(text, vector);
        if (kept.size >= KEPT_VECTORS) kept.delete(kept.keys().next().value ?? "");
        kept.set(text, vector);
      }
    }
    return (text) => {
      const vector = made.get(text);
      if (vector === undefined) throw new Error("a text was not asked for");
      return vector;
    };
  };

  return {
    /** Does a few. Whether there was something to do. */
    async step(index: ChunkIndex, signal: AbortSignal): Promise<boolean> {
      const waiting = index.waiting(BATCH);
      const wanted = waiting.map((chunk) => ({
        number: chunk.number,
        texts: toTexts(chunk, neighbour(index, chunk, chunk.previous), neighbour(index, chunk, chunk.next)),
      }));
      const all = wanted.flatMap(({ texts }) => [...texts.sentences, texts.whole, texts.withPrevious, texts.window]);
      const vectorOf = await embedAll(all, signal);
      const made = new Map<ChunkNumber, ChunkVectors>(
        wanted.map(({ number, texts: { sentences, whole, withPrevious, window } }) => [
          number,
          {
            ...{ whole: vectorOf(whole), withPrevious: vectorOf(withPrevious), window: vectorOf(window) },
            sentences: sentences.map(vectorOf),
          },
        ]),
      );
      // What was removed meanwhile is passed over by the index: a number is given once.
      if (made.size > 0) index.setVectors(embedder.name, made);
      return waiting.length > 0;
    },
  };
};

/** Only one that everybody sees who sees the chunk: a vector must not say what is hidden beside it. */
const neighbour = (
  index: ChunkIndex,
  chunk: IndexedChunk,
  number: ChunkNumber | undefined,
): IndexedChunk | undefined => {
  const [beside] = number === undefined ? [] : index.chunks([number], {});
  if (beside === undefined || beside.audience !== chunk.audience) return undefined;
  return beside.integrity === "untrusted" && chunk.integrity !== "untrusted" ? undefined : beside;
};
