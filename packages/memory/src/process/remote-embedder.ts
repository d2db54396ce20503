/** An embedder that the house calls for this process, which has no network. */
import { fromErrorBody, HearthError } from "@hearth/protocol";
import type { MemoryCall, MemoryVectors } from "@hearth/protocol/memory-frames";
import type { Embedder } from "../embedders/embedder.ts";

export interface RemoteEmbedder extends Embedder {
  /** Accepts returned vectors. Vectors of aborted calls are ignored. */
  acceptVectors(vectors: MemoryVectors): void;
}

export interface RemoteEmbedderOptions {
  readonly name: string;
  readonly dimensions: number;
  readonly call: (call: MemoryCall) => Promise<void>;
}

/** Maximum number of texts in one call, and maximum length of a text. No model reads more characters of a text. */
const MAX_TEXTS = 64;
const MAX_TEXT_LENGTH = 16 * 1024;

export const createRemoteEmbedder = ({ name, dimensions, call }: RemoteEmbedderOptions): RemoteEmbedder => {
  const pendingCalls = new Map<number, PromiseWithResolvers<readonly Float32Array[]>>();
  let lastCall = 0;

  const embedBatch = async (texts: readonly string[], signal: AbortSignal | undefined) => {
    lastCall += 1;
    const number = lastCall;
    const answer = Promise.withResolvers<readonly Float32Array[]>();
    pendingCalls.set(number, answer);
    const stop = (): void => {
      answer.reject(abortedError());
      call({ stop: number }).catch(answer.reject);
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await call({ call: number, texts: texts.map((text) => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()) });
      const vectors = await answer.promise;
      if (vectors.length === texts.length && vectors.every(({ length }) => length === dimensions)) return vectors;
      const expected = `${texts.length} vectors of ${dimensions} numbers`;
      throw new HearthError("memory.no-embedder", `${name} did not return ${expected}.`, {
        hint: "Correct them: hearth config set memory.model=MODEL memory.dimensions=NUMBER",
      });
    } finally {
      signal?.removeEventListener("abort", stop);
      pendingCalls.delete(number);
    }
  };

  return {
    name,
    dimensions,
    batchSize: MAX_TEXTS,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += MAX_TEXTS) {
        if (signal?.aborted === true) throw abortedError();
        vectors.push(...(await embedBatch(texts.slice(start, start + MAX_TEXTS), signal)));
      }
      return vectors;
    },
    acceptVectors(message) {
      const answer = pendingCalls.get(message.called);
      if ("error" in message) answer?.reject(fromErrorBody(message.error));
      else answer?.resolve(message.vectors.map((vector) => Float32Array.from(vector)));
    },
    [Symbol.asyncDispose]() {
      for (const { reject } of pendingCalls.values()) reject(abortedError());
      return Promise.resolve();
    },
  };
};

const abortedError = (): HearthError => new HearthError("memory.aborted", "Embedding was stopped.");
