/** Reads the body of a request in parts, each of which is stored before the next one is read. */
import { type Clock, HearthError, UPLOAD_PART_BYTES } from "@hearth/protocol";

export interface PartBodyOptions {
  readonly body: ReadableStream<Uint8Array> | null;
  /** Bytes that the upload still takes. */
  readonly missingBytes: number;
  readonly clock: Pick<Clock, "sleep">;
  /** Ends the body: the credential is invalid, or the house closes. */
  readonly signal: AbortSignal;
  /** Whether the bytes before a cut are stored. False with a checksum, which covers the whole body. */
  readonly storesPartial: boolean;
  /** Stores the next bytes. It must not keep the array, which is reused and finally released. */
  readonly store: (bytes: Uint8Array) => Promise<void>;
}

/** Maximum pause between two pieces of a body. */
const IDLE_MS = 30_000;
const CONTINUE_HINT = "Ask for the offset with HEAD, and send the rest from there.";

/**
 * Stores the whole body. A part that arrived before a failure is stored too. Throws
 * `request.too-large` for more than the upload accepts, `request.timeout` after a long pause, and
 * `request.invalid` if the connection breaks.
 */
export const storeBody = async (options: PartBodyOptions): Promise<void> => {
  if (options.body === null) return;
  const part = new Uint8Array(Math.min(UPLOAD_PART_BYTES, options.missingBytes));
  try {
    await storeParts(options, options.body, part);
  } finally {
    release(part);
  }
};

const storeParts = async (
  { missingBytes, clock, signal, storesPartial, store }: PartBodyOptions,
  body: ReadableStream<Uint8Array>,
  part: Uint8Array,
): Promise<void> => {
  let length = 0;
  let remainingBytes = missingBytes;
  const flush = async (): Promise<void> => {
    if (length > 0) await store(part.subarray(0, length));
    remainingBytes -= length;
    length = 0;
  };
  const reader = body.getReader();
  using idleWatch = watchIdle(clock, signal, () => {
    reader.cancel().catch(() => {
      // The reader ends either way.
    });
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      idleWatch.onProgress();
      for (let position = 0; position < value.length;) {
        if (length === remainingBytes)
          throw new HearthError(
            "request.too-large",
            `The body has more than the ${missingBytes} bytes that the upload needs.`,
            {
              hint: "Ask for the offset with HEAD, and send the bytes of the file from there.",
            },
          );
        const copiedBytes = Math.min(value.length - position, part.length - length, remainingBytes - length);
        part.set(value.subarray(position, position + copiedBytes), length);
        length += copiedBytes;
        position += copiedBytes;
        if (length === part.length) await flush();
      }
      release(value);
    }
  } catch (error) {
    if (storesPartial) await flush();
    if (error instanceof HearthError) throw error;
    throw new HearthError("request.invalid", "The body is incomplete: the connection was closed.", {
      hint: CONTINUE_HINT,
      cause: error,
    });
  } finally {
    reader.releaseLock();
  }
  if (idleWatch.isEnded()) {
    if (storesPartial) await flush();
    throw new HearthError("request.timeout", `No bytes of the body arrived for ${IDLE_MS / 1000} seconds.`, {
      hint: CONTINUE_HINT,
    });
  }
  await flush();
};

/**
 * Frees the memory of bytes that are no longer used. The garbage collector would free it much
 * later, because it does not see how large the bytes are.
 */
const release = ({ buffer, byteLength }: Uint8Array): void => {
  // Other bytes may share a larger buffer.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
};

/** Calls `end` when nothing moved for too long, or when the signal aborts. */
const watchIdle = (clock: Pick<Clock, "sleep">, signal: AbortSignal, end: () => void) => {
  const abort = new AbortController();
  const anyAbort = AbortSignal.any([signal, abort.signal]);
  let hasProgress = true;
  let isEnded = false;
  const watch = async (): Promise<void> => {
    while (hasProgress && !anyAbort.aborted) {
      hasProgress = false;
      await clock.sleep(IDLE_MS, anyAbort);
    }
    if (abort.signal.aborted) return;
    isEnded = true;
    end();
  };
  watch().catch(() => {
    // A sleep rejects only when the clock ends, and the body ends with it.
  });
  return {
    onProgress() {
      hasProgress = true;
    },
    isEnded: () => isEnded,
    [Symbol.dispose]: () => abort.abort(),
  };
};
