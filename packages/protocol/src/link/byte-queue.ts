/**
 * A queue of bytes for one reader. Joins small writes, so that memory use follows the number of
 * bytes and not the number of writes.
 */
import { createMailbox } from "./mailbox.ts";

export interface ByteQueue extends AsyncIterable<Uint8Array> {
  /** Ignored after `close`. */
  put(bytes: Uint8Array): void;
  /** Ends the reader after the queued bytes; throws `error` there if one is given. */
  close(error?: Error): void;
}

interface Piece {
  /** A buffer whose first `used` bytes are queued. Small writes fill the rest. */
  bytes: Uint8Array;
  used: number;
}

/** Pieces up to this size are joined with others while they wait. */
const MAX_JOINED_BYTES = 4096;

export const createByteQueue = (): ByteQueue => {
  const pieces = createMailbox<Piece>();
  /** The last piece, if the reader has not received it yet. */
  let last: Piece | undefined;

  return {
    put(bytes) {
      if (bytes.length === 0) return;
      if (last !== undefined && last.used + bytes.length <= MAX_JOINED_BYTES) {
        if (last.bytes.length < MAX_JOINED_BYTES) {
          const joined = new Uint8Array(MAX_JOINED_BYTES);
          joined.set(last.bytes.subarray(0, last.used));
          last.bytes = joined;
        }
        last.bytes.set(bytes, last.used);
        last.used += bytes.length;
        return;
      }
      last = { bytes, used: bytes.length };
      pieces.put(last);
    },
    close(error) {
      last = undefined;
      pieces.close(error);
    },
    async *[Symbol.asyncIterator]() {
      for await (const piece of pieces) {
        if (piece === last) last = undefined;
        yield piece.bytes.subarray(0, piece.used);
      }
    },
  };
};
