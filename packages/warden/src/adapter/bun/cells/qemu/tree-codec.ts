/**
 * Encodes a tree of files as bytes: entry = u32 length of head · head (JSON in UTF-8) · the file's
 * bytes. Either side may be hostile, so each head is validated first.
 */
import { HearthError } from "@hearth/protocol";
import { z } from "zod";

const MAX_HEAD_BYTES = 64 * 1024;
/** The longest path that the system accepts. */
const MAX_PATH_LENGTH = 4095;
const MAX_NAME_BYTES = 255;

/** Names joined by slashes, none of which is `.` or `..`. */
const Path = z
  .string()
  .max(MAX_PATH_LENGTH)
  .refine((path) => path.split("/").every(isName), { error: "is not a path" });
const isName = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && !name.includes("\0") && Buffer.byteLength(name) <= MAX_NAME_BYTES;

const mode = z.int().min(0).max(0o777);
export const Entry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: Path, mode, size: z.int().nonnegative() }),
  z.object({ kind: z.literal("folder"), path: Path, mode }),
  z.object({ kind: z.literal("link"), path: Path, target: z.string().min(1).max(MAX_PATH_LENGTH) }),
  /** The entry and everything below it were removed. */
  z.object({ kind: z.literal("gone"), path: Path }),
]);
export type Entry = z.infer<typeof Entry>;

/** An entry with its bytes, which must be read before the next entry. */
export interface Item {
  readonly entry: Entry;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export const nothing = async function* (): AsyncGenerator<Uint8Array> {};

export async function* encodeTree(items: AsyncIterable<Item>): AsyncGenerator<Uint8Array> {
  for await (const { entry, bytes } of items) {
    const head = Buffer.from(JSON.stringify(entry));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.length);
    yield Buffer.concat([length, head]);
    // The encoded length stays as announced even if the file shrinks or grows while it is read.
    let remainingBytes = entry.kind === "file" ? entry.size : 0;
    for await (const piece of bytes) {
      if (remainingBytes === 0) break;
      const part = piece.subarray(0, remainingBytes);
      remainingBytes -= part.length;
      yield part;
    }
    for (; remainingBytes > 0; remainingBytes -= Math.min(remainingBytes, PADDING.length))
      yield PADDING.subarray(0, remainingBytes);
  }
}

const PADDING = new Uint8Array(64 * 1024);

/** Throws `cell.protocol` on bytes that are not a valid tree. */
export async function* decodeTree(source: AsyncIterable<Uint8Array>): AsyncGenerator<Item> {
  const reader = createReader(source);
  for (;;) {
    const length = await reader.readExactly(4, "end");
    if (length === undefined) return;
    const size = Buffer.from(length).readUInt32BE();
    if (size > MAX_HEAD_BYTES) throw brokenError("a head that is too long");
    const entry = parse(await reader.readExactly(size));
    let remainingBytes = entry.kind === "file" ? entry.size : 0;
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      while (remainingBytes > 0) {
        const piece = await reader.readSome(remainingBytes);
        remainingBytes -= piece.length;
        yield piece;
      }
    };
    yield { entry, bytes: bytes() };
    // A caller need not read the bytes of an entry.
    while (remainingBytes > 0) remainingBytes -= (await reader.readSome(remainingBytes)).length;
  }
}

const parse = (head: Uint8Array): Entry => {
  try {
    return Entry.parse(JSON.parse(Buffer.from(head).toString("utf8")));
  } catch (cause) {
    throw brokenError("an invalid head", cause);
  }
};

const brokenError = (problem: string, cause?: unknown): HearthError =>
  new HearthError("cell.protocol", `A tree of files has ${problem}.`, { cause });

interface Reader {
  /**
   * Throws when the bytes end early. With `end`, returns undefined when there is not even one byte.
   */
  readExactly(size: number): Promise<Uint8Array>;
  readExactly(size: number, atEnd: "end"): Promise<Uint8Array | undefined>;
  /** Returns at least one byte, and at most `size`. Throws when the bytes have ended. */
  readSome(size: number): Promise<Uint8Array>;
}

const createReader = (source: AsyncIterable<Uint8Array>): Reader => {
  const pieces = source[Symbol.asyncIterator]();
  let buffered: Uint8Array = new Uint8Array(0);
  /** Returns whether at least one byte is buffered, and reads more if necessary. */
  const hasMore = async (): Promise<boolean> => {
    while (buffered.length === 0) {
      const { value, done } = await pieces.next();
      if (done === true) return false;
      buffered = value;
    }
    return true;
  };
  const readSome = async (size: number): Promise<Uint8Array> => {
    if (!(await hasMore())) throw brokenError("a truncated entry");
    const piece = buffered.subarray(0, size);
    buffered = buffered.subarray(piece.length);
    return piece;
  };
  const readExactly = async (size: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(size);
    for (let offset = 0; offset < size;) {
      const piece = await readSome(size - offset);
      bytes.set(piece, offset);
      offset += piece.length;
    }
    return bytes;
  };
  return {
    readSome,
    readExactly: (async (size: number, atEnd?: "end") =>
      atEnd === "end" && !(await hasMore()) ? undefined : readExactly(size)) as Reader["readExactly"],
  };
};
