/** Wraps an embedder with a timeout, after which a search uses only words. */
import { type Clock, HearthError } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";

export const withTimeout = (embedder: Embedder, clock: Pick<Clock, "sleep">, timeoutMs: number): Embedder => ({
  ...embedder,
  async embed(texts, signal) {
    const embedController = new AbortController();
    const embedding = embedder.embed(
      texts,
      signal === undefined ? embedController.signal : AbortSignal.any([signal, embedController.signal]),
    );
    const doneController = new AbortController();
    try {
      return await Promise.race([embedding, failAfter(embedder, clock, timeoutMs, doneController.signal)]);
    } finally {
      doneController.abort();
      embedController.abort();
    }
  },
});

const failAfter = async (
  { name }: Embedder,
  clock: Pick<Clock, "sleep">,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<never> => {
  await clock.sleep(timeoutMs, signal);
  // The embedding has settled, so this promise never rejects.
  if (signal.aborted) return new Promise(() => undefined);
  throw new HearthError("memory.no-embedder", `${name} did not answer in ${timeoutMs / 1000} s.`, {
    hint: "Check that the embedder is running. Hearth retries in a minute.",
  });
};
