/** Answers calls of a memory process in the house: embeds texts, because that process has no network. */
import { HearthError, type MemoryCall, type MemoryVectors, toErrorBody } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";

export interface CallHandler {
  handle(call: MemoryCall): void;
  /** Aborts all calls. */
  stop(): void;
}

/** Answers calls. Calls `lost` when vectors could not be sent. */
export const createCallHandler = (
  embedder: Embedder | undefined,
  send: (vectors: MemoryVectors) => Promise<void>,
  lost: () => void,
): CallHandler => {
  const open = new Map<number, AbortController>();
  const answer = async (called: number, texts: readonly string[], signal: AbortSignal): Promise<MemoryVectors> => {
    try {
      if (embedder === undefined) throw new HearthError("memory.no-embedder", "This house has no embedder.");
      const vectors = await embedder.embed(texts, signal);
      return { called, vectors: vectors.map((vector) => [...vector]) };
    } catch (error) {
      return { called, error: toErrorBody(error) };
    }
  };
  return {
    handle(message) {
      if ("stop" in message) return open.get(message.stop)?.abort();
      const { call, texts } = message;
      const stop = new AbortController();
      open.set(call, stop);
      answer(call, texts, stop.signal)
        .then((vectors) => {
          open.delete(call);
          return stop.signal.aborted ? undefined : send(vectors);
        })
        .catch(lost);
    },
    stop() {
      for (const stop of open.values()) stop.abort();
    },
  };
};
