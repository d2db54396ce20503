/**
 * A queue of bytes for one reader. Joins small writes, so that memory use follows the number of
 * bytes and not the number of writes.
 */
import { createMailbox } from "./mailbox.ts";

export interface ByteQueue extends AsyncIterable<Uint8Array> {
  /** Adds bytes. Does nothing after `close`. */
  put(bytes: Uint8Array): void;
  /** Ends the reader after the queued bytes; throws `error` there if one is given. */
  close(error?: Error): void;
}

interface Piece {
  /** A buffer whose first `usedBytes` bytes are queued. Small writes fill the rest. */
  bytes: Uint8Array;
  usedBytes: number;
}

/** Pieces up to this size are joined with others while they wait. */
const MAX_JOINED_BYTES = 4096;

export const createByteQueue = (): ByteQueue => {
  const pieces = createMailbox<Piece>();
  /** The last piece, if the reader has not received it yet. */
  let lastPiece: Piece | undefined;

  return {
    put(bytes) {
      if (bytes.length === 0) return;
      if (lastPiece !== undefined && lastPiece.usedBytes + bytes.length <= MAX_JOINED_BYTES) {
        if (lastPiece.bytes.length < MAX_JOINED_BYTES) {
          const joinedBytes = new Uint8Array(MAX_JOINED_BYTES);
          joinedBytes.set(lastPiece.bytes.subarray(0, lastPiece.usedBytes));
          lastPiece.bytes = joinedBytes;
        }
        lastPiece.bytes.set(bytes, lastPiece.usedBytes);
        lastPiece.usedBytes += bytes.length;
        return;
      }
      lastPiece = { bytes, usedBytes: bytes.length };
      pieces.put(lastPiece);
    },
    close(error) {
      lastPiece = undefined;
      pieces.close(error);
    },
    async *[Symbol.asyncIterator]() {
      for await (const piece of pieces) {
        if (piece === lastPiece) lastPiece = undefined;
        yield piece.bytes.subarray(0, piece.usedBytes);
      }
    },
  };
};
