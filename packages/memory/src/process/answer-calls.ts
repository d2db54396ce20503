/** Answers calls of a memory process in the house: embeds texts, because that process has no network. */
import { HearthError, toErrorBody } from "@hearth/protocol";
import type { MemoryCall, MemoryVectors } from "@hearth/protocol/memory-frames";
import type { Embedder } from "../embedders/embedder.ts";

export interface CallHandler {
  handle(call: MemoryCall): void;
  /** Aborts all calls. */
  stop(): void;
}

/** Creates the handler. Calls `onSendFailed` when vectors could not be sent. */
export const createCallHandler = (
  embedder: Embedder | undefined,
  send: (vectors: MemoryVectors) => Promise<void>,
  onSendFailed: () => void,
): CallHandler => {
  const controllers = new Map<number, AbortController>();
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
      if ("stop" in message) return controllers.get(message.stop)?.abort();
      const { call, texts } = message;
      const controller = new AbortController();
      controllers.set(call, controller);
      answer(call, texts, controller.signal)
        .then((vectors) => {
          controllers.delete(call);
          return controller.signal.aborted ? undefined : send(vectors);
        })
        .catch(onSendFailed);
    },
    stop() {
      for (const controller of controllers.values()) controller.abort();
    },
  };
};
