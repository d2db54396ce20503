/** Reads the body of a request in parts, each of which is stored before the next one is read. */
import { type Clock, HearthError, UPLOAD_PART_BYTES } from "@hearth/protocol";

export interface PartBodyOptions {
  readonly body: ReadableStream<Uint8Array> | null;
  /** Bytes that the upload still takes. */
  readonly missingBytes: number;
  readonly clock: Pick<Clock, "sleep">;
  /** Ends the body: the credential is invalid, or the house closes. */
  readonly signal: AbortSignal;
  /** Whether the bytes before a cut are stored. Not with a checksum of the whole body. */
  readonly storesPartial: boolean;
  /** Stores the next bytes. The array is reused afterwards. */
  readonly store: (bytes: Uint8Array) => Promise<void>;
}

/** Maximum pause between two pieces of a body. */
const IDLE_MS = 30_000;

/**
 * Stores the whole body. A part that arrived before a failure is stored too. Throws
 * `request.too-large` for more than the upload accepts, `request.timeout` after a long pause, and
 * `request.invalid` if the connection breaks.
 */
export const storeBody = async (options: PartBodyOptions): Promise<void> => {
  const { body, missingBytes, clock, signal, storesPartial, store } = options;
  if (body === null) return;
  const part = new Uint8Array(Math.min(UPLOAD_PART_BYTES, missingBytes));
  let length = 0;
  let left = missingBytes;
  const flush = async (): Promise<void> => {
    if (length > 0) await store(part.subarray(0, length));
    left -= length;
    length = 0;
  };
  const reader = body.getReader();
  using watch = watchIdle(clock, signal, () => {
    reader.cancel().catch(() => {
      // The reader ends either way.
    });
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      watch.onProgress();
      for (let at = 0; at < value.length;) {
        if (length === left)
          throw new HearthError("request.too-large", "The body has more bytes than the upload needs.");
        const taken = Math.min(value.length - at, part.length - length, left - length);
        part.set(value.subarray(at, at + taken), length);
        length += taken;
        at += taken;
        if (length === part.length) await flush();
      }
    }
  } catch (error) {
    if (storesPartial) await flush();
    if (error instanceof HearthError) throw error;
    throw new HearthError("request.invalid", "The body is incomplete: the connection was closed.", { cause: error });
  } finally {
    reader.releaseLock();
  }
  if (watch.isEnded()) {
    if (storesPartial) await flush();
    throw new HearthError("request.timeout", "The body did not arrive in time.");
  }
  await flush();
};

/** Calls `end` when nothing moved for too long, or when the signal aborts. */
const watchIdle = (clock: Pick<Clock, "sleep">, signal: AbortSignal, end: () => void) => {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  let hasMoved = true;
  let isEnded = false;
  const watch = async (): Promise<void> => {
    while (hasMoved && !either.aborted) {
      hasMoved = false;
      await clock.sleep(IDLE_MS, either);
    }
    if (over.signal.aborted) return;
    isEnded = true;
    end();
  };
  watch().catch(() => {
    // A sleep rejects only when the clock ends, and the body ends with it.
  });
  return {
    onProgress() {
      hasMoved = true;
    },
    isEnded: () => isEnded,
    [Symbol.dispose]: () => over.abort(),
  };
};
