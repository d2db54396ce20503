/**
 * Reads the bytes of a connection in the portions that a protocol needs. Buffers at most the last
 * piece and the requested portion.
 */
import { HearthError } from "@hearth/protocol";

export interface ByteReader {
  /**
   * Reads everything through the first empty line. Returns undefined if the connection ended
   * before its first byte.
   */
  readHead(maxSize: number): Promise<Uint8Array | undefined>;
  /** Reads one line and returns it without its line end. */
  readLine(maxSize: number): Promise<Uint8Array>;
  /** Reads between one and `max` bytes. Returns undefined at the end. */
  readSome(max: number): Promise<Uint8Array | undefined>;
  /** Returns the next byte without consuming it. */
  peek(): Promise<number | undefined>;
  /** Returns all remaining bytes, for another reader. */
  remainingBytes(): AsyncIterable<Uint8Array>;
  /** Whether buffered bytes are left. */
  hasMore(): boolean;
}

const LF = 10;
const CR = 13;

export const createByteReader = (bytes: AsyncIterable<Uint8Array>): ByteReader => {
  const source = bytes[Symbol.asyncIterator]();
  let buffered: Uint8Array = new Uint8Array();

  /** Reads one more piece. Returns false at the end. */
  const readMore = async (): Promise<boolean> => {
    const nextPiece = await source.next();
    if (nextPiece.done === true) return false;
    buffered = buffered.length === 0 ? nextPiece.value : concat(buffered, nextPiece.value);
    return true;
  };
  const take = (size: number): Uint8Array => {
    const piece = buffered.subarray(0, size);
    buffered = buffered.subarray(size);
    return piece;
  };
  /**
   * Takes the bytes up to the position that `endOf` returns. If `endOf` returns -1, reads more
   * bytes first.
   */
  const takeUntil = async (
    endOf: (bytes: Uint8Array, from: number) => number,
    maxSize: number,
    part: string,
  ): Promise<Uint8Array> => {
    for (let searchedLength = 0; ;) {
      const end = endOf(buffered, searchedLength);
      if (end > maxSize || (end === -1 && buffered.length > maxSize))
        throw malformedError(`${part} is longer than ${maxSize} bytes`);
      if (end !== -1) return take(end);
      // The empty line may lie across two pieces.
      searchedLength = Math.max(0, buffered.length - 3);
      if (!(await readMore())) throw malformedError(`${part} breaks off`);
    }
  };

  return {
    async readHead(maxSize) {
      while (buffered.length === 0) if (!(await readMore())) return undefined;
      return takeUntil(endOfHead, maxSize, "its head");
    },
    async readLine(maxSize) {
      const line = await takeUntil((buffered, from) => buffered.indexOf(LF, from) + 1 || -1, maxSize, "a line");
      if (line.at(-2) !== CR) throw malformedError("a line does not end with CR LF");
      return line.subarray(0, -2);
    },
    async readSome(max) {
      while (buffered.length === 0) if (!(await readMore())) return undefined;
      return take(max);
    },
    async peek() {
      while (buffered.length === 0) if (!(await readMore())) return undefined;
      return buffered[0];
    },
    async *remainingBytes() {
      if (buffered.length > 0) yield take(buffered.length);
      while (await readMore()) yield take(buffered.length);
    },
    hasMore: () => buffered.length > 0,
  };
};

/**
 * Returns the end of the first empty line, which is exactly CR LF CR LF. The parser of the lines
 * rejects other line ends.
 */
const endOfHead = (bytes: Uint8Array, from: number): number => {
  for (let lineFeedAt = bytes.indexOf(LF, from); lineFeedAt !== -1; lineFeedAt = bytes.indexOf(LF, lineFeedAt + 1)) {
    if (bytes[lineFeedAt - 1] === CR && bytes[lineFeedAt - 2] === LF && bytes[lineFeedAt - 3] === CR)
      return lineFeedAt + 1;
    // The head consists of an empty line only.
    if (lineFeedAt === 1 && bytes[0] === CR) return 2;
  }
  return -1;
};

const concat = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const result = new Uint8Array(a.length + b.length);
  result.set(a);
  result.set(b, a.length);
  return result;
};

export const malformedError = (problem: string): HearthError =>
  new HearthError("egress.malformed", `This is not valid HTTP/1.1: ${problem}.`);
