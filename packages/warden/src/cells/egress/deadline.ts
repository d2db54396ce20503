/** Deadlines for network waits, so that a silent peer cannot block forever. */
import { type Clock, HearthError } from "@hearth/protocol";

/**
 * Returns the result of `work`. Throws `egress.failed` if `work` takes longer or `signal` aborts.
 * The caller must then end `work`.
 */
export const withDeadline = async <Value>(
  clock: Clock,
  ms: number,
  operation: string,
  work: Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> => {
  const controller = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(new HearthError("egress.failed", "It was stopped."));
  const timeout = clock.sleep(ms, controller.signal).then((): never => {
    throw new HearthError("egress.failed", `${operation} took longer than ${ms / 1000} s.`);
  });
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    return await Promise.race([work, timeout, stopped.promise]);
  } finally {
    controller.abort();
    signal?.removeEventListener("abort", stop);
  }
};

/** Applies the deadline to each piece of a stream. */
export async function* eachWithDeadline(
  clock: Clock,
  ms: number,
  operation: string,
  pieces: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  for (;;) {
    const result = await withDeadline(clock, ms, operation, source.next(), signal);
    if (result.done === true) return;
    yield result.value;
  }
}
