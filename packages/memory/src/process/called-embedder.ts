/** An embedder on the other side of a pipe: this process has no network, so whoever started it asks the peer. */
import { fromErrorBody, HearthError, type MemoryCall, type MemoryVectors } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";

export interface CalledEmbedder extends Embedder {
  /** What came back. Nobody waits for one that was taken back. */
  take(vectors: MemoryVectors): void;
}

export interface CalledEmbedderOptions extends Pick<Embedder, "name" | "dimensions"> {
  readonly call: (call: MemoryCall) => Promise<void>;
}

/** What one call may hold: beyond it a text says nothing that a model reads. */
const MAX_TEXTS = 64;
const MAX_TEXT = 16 * 1024;

export const createCalledEmbedder = ({ name, dimensions, call }: CalledEmbedderOptions): CalledEmbedder => {
  const waiting = new Map<number, PromiseWithResolvers<readonly Float32Array[]>>();
  let last = 0;

  const embedSome = async (texts: readonly string[], signal: AbortSignal | undefined) => {
    last += 1;
    const number = last;
    const come = Promise.withResolvers<readonly Float32Array[]>();
    waiting.set(number, come);
    const stop = (): void => {
      come.reject(aborted());
      call({ stop: number }).catch(come.reject);
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await call({ call: number, texts: texts.map((text) => text.slice(0, MAX_TEXT).toWellFormed()) });
      const vectors = await come.promise;
      if (vectors.length === texts.length && vectors.every(({ length }) => length === dimensions)) return vectors;
      throw new HearthError("memory.no-embedder", `${name} gave other vectors than it was asked for.`, {
        hint: "See model and dimensions below [memory] in hearth.toml.",
      });
    } finally {
      signal?.removeEventListener("abort", stop);
      waiting.delete(number);
    }
  };

  return {
    ...{ name, dimensions, together: MAX_TEXTS },
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += MAX_TEXTS) {
        if (signal?.aborted === true) throw aborted();
        vectors.push(...(await embedSome(texts.slice(at, at + MAX_TEXTS), signal)));
      }
      return vectors;
    },
    take(message) {
      const come = waiting.get(message.called);
      if ("error" in message) come?.reject(fromErrorBody(message.error));
      else come?.resolve(message.vectors.map((vector) => Float32Array.from(vector)));
    },
    [Symbol.asyncDispose]() {
      for (const { reject } of waiting.values()) reject(aborted());
      return Promise.resolve();
    },
  };
};

const aborted = (): HearthError => new HearthError("memory.aborted", "Embedding was stopped.");
