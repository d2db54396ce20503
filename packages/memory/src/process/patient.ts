/** An embedder that is waited for only so long: what it has not given by then is a failure, and words answer. */
import { type Clock, HearthError } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";

export const createPatient = (embedder: Embedder, clock: Pick<Clock, "sleep">, patienceMs: number): Embedder => ({
  ...embedder,
  async embed(texts, signal) {
    const over = new AbortController();
    const embedding = embedder.embed(
      texts,
      signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
    );
    const slow = new AbortController();
    try {
      return await Promise.race([embedding, tooLate(embedder, clock, patienceMs, slow.signal)]);
    } finally {
      slow.abort();
      over.abort();
    }
  },
});

const tooLate = async (
  { name }: Embedder,
  clock: Pick<Clock, "sleep">,
  patienceMs: number,
  signal: AbortSignal,
): Promise<never> => {
  await clock.sleep(patienceMs, signal);
  // Nobody looks at what comes after the vectors.
  if (signal.aborted) return new Promise(() => undefined);
  throw new HearthError("memory.no-embedder", `${name} did not answer in ${patienceMs / 1000} s.`, {
    hint: "It is asked again in a minute; see that it runs.",
  });
};
