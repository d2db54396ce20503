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
  bytes: Uint8Array;
  length: number;
}

/** Pieces up to this size are joined with others while they wait. */
const SMALL = 4096;

export const createByteQueue = (): ByteQueue => {
  const pieces = createMailbox<Piece>();
  /** The last piece, if the reader has not received it yet. */
  let last: Piece | undefined;

  return {
    put(bytes) {
      if (bytes.length === 0) return;
      if (last !== undefined && last.length + bytes.length <= SMALL) {
        if (last.bytes.length < SMALL) {
          const joined = new Uint8Array(SMALL);
          joined.set(last.bytes.subarray(0, last.length));
          last.bytes = joined;
        }
        last.bytes.set(bytes, last.length);
        last.length += bytes.length;
        return;
      }
      last = { bytes, length: bytes.length };
      pieces.put(last);
    },
    close(error) {
      last = undefined;
      pieces.close(error);
    },
    async *[Symbol.asyncIterator]() {
      for await (const piece of pieces) {
        if (piece === last) last = undefined;
        yield piece.bytes.subarray(0, piece.length);
      }
    },
  };
};
