/** Bytes on their way to one reader. What waits is kept in few pieces, however small it came: what it costs is what it holds. */
import { createMailbox } from "./mailbox.ts";

export interface ByteQueue extends AsyncIterable<Uint8Array> {
  /** Dropped once the queue is closed. */
  put(bytes: Uint8Array): void;
  /** Ends the reader after what is already in, with `error` thrown if one is given. */
  close(error?: Error): void;
}

/** A piece of the queue. */
interface Piece {
  bytes: Uint8Array;
  length: number;
}

/** What is smaller joins others while it waits. */
const SMALL = 4096;

export const createByteQueue = (): ByteQueue => {
  const pieces = createMailbox<Piece>();
  /** The last one that nobody has read yet. */
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
