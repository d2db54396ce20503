/**
 * Reads the bodies of HTTP/1.1 messages: their framing and their bytes. Also frames bodies for
 * sending.
 */
import { type ByteReader, malformedError } from "./byte-reader.ts";
import { type HeaderLine, listOf, type RequestHead, type ResponseHead, toLatin1, valuesOf } from "./head.ts";

export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly size: number }
  | { readonly kind: "chunked" }
  /** The body ends with the connection. Only responses have such a body. */
  | { readonly kind: "open" };

const NO_BODY: Framing = { kind: "none" };
const MAX_PIECE_BYTES = 64 * 1024;
const MAX_CHUNK_LINE = 256;
const MAX_TRAILERS = 32;
const MAX_TRAILER_LINE = 4096;

export const framingOfRequest = ({ headers, version }: RequestHead): Framing => framingOf(headers, version) ?? NO_BODY;

export const framingOfResponse = (method: string, { status, headers, version }: ResponseHead): Framing => {
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return NO_BODY;
  return framingOf(headers, version) ?? { kind: "open" };
};

/** A message with two lengths, or with a length and chunks, allows request smuggling. */
const framingOf = (headers: readonly HeaderLine[], version: 0 | 1): Framing | undefined => {
  const lengths = valuesOf(headers, "content-length");
  const codings = listOf(headers, "transfer-encoding");
  if (codings.length > 0) {
    if (lengths.length > 0 || version === 0 || codings.join() !== "chunked")
      throw malformedError("its length is given in two ways");
    return { kind: "chunked" };
  }
  const [length, ...otherLengths] = lengths;
  if (length === undefined) return undefined;
  if (otherLengths.length > 0 || !/^\d{1,15}$/.test(length)) throw malformedError("its Content-Length is invalid");
  return length === "0" ? NO_BODY : { kind: "length", size: Number(length) };
};

/** Returns the headers for the same framing. A body without a known end is sent in chunks. */
export const framingHeaders = (framing: Framing): readonly HeaderLine[] => {
  switch (framing.kind) {
    case "none":
      return [];
    case "length":
      return [["Content-Length", String(framing.size)]];
    case "chunked":
    case "open":
      return [["Transfer-Encoding", "chunked"]];
  }
};

/**
 * Returns the bytes of a body without its framing. Throws `egress.malformed` if it is truncated.
 */
export async function* readBody(reader: ByteReader, framing: Framing): AsyncGenerator<Uint8Array> {
  switch (framing.kind) {
    case "none":
      return;
    case "length":
      yield* readExactly(reader, framing.size);
      return;
    case "open":
      for (
        let chunk = await reader.readSome(MAX_PIECE_BYTES);
        chunk !== undefined;
        chunk = await reader.readSome(MAX_PIECE_BYTES)
      )
        yield chunk;
      return;
    case "chunked":
      for (let size = await readChunkSize(reader); size > 0; size = await readChunkSize(reader)) {
        yield* readExactly(reader, size);
        // Reads the line end after a chunk.
        await reader.readLine(2);
      }
      // Trailers are dropped.
      for (let count = 0; (await reader.readLine(MAX_TRAILER_LINE)).length > 0; count += 1)
        if (count === MAX_TRAILERS) throw malformedError("it has too many trailers");
  }
}

async function* readExactly(reader: ByteReader, size: number): AsyncGenerator<Uint8Array> {
  for (let remainingBytes = size; remainingBytes > 0;) {
    const chunk = await reader.readSome(Math.min(remainingBytes, MAX_PIECE_BYTES));
    if (chunk === undefined) throw malformedError("it breaks off");
    remainingBytes -= chunk.length;
    yield chunk;
  }
}

const readChunkSize = async (reader: ByteReader): Promise<number> => {
  const [, size] = /^([0-9A-Fa-f]{1,8})[\t ]*(?:;.*)?$/.exec(toLatin1(await reader.readLine(MAX_CHUNK_LINE))) ?? [];
  if (size === undefined) throw malformedError("a chunk has no valid length");
  return Number.parseInt(size, 16);
};

/** Returns a piece of a body in its framing: unchanged, or as a chunk. */
export const frameChunk = (framing: Framing, piece: Uint8Array): Uint8Array => {
  if (framing.kind === "none" || framing.kind === "length" || piece.length === 0) return piece;
  const sizeLine = ASCII.encode(`${piece.length.toString(16)}\r\n`);
  const chunk = new Uint8Array(sizeLine.length + piece.length + 2);
  chunk.set(sizeLine);
  chunk.set(piece, sizeLine.length);
  chunk.set([13, 10], sizeLine.length + piece.length);
  return chunk;
};

/** Returns the bytes that end a body. */
export const terminatorOf = (framing: Framing): Uint8Array =>
  framing.kind === "chunked" || framing.kind === "open" ? ASCII.encode("0\r\n\r\n") : new Uint8Array();

const ASCII = new TextEncoder();
