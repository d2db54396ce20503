/** Stores chunks as events: UTF-8 as text, other bytes as base64. */
import { type ChunkEvent, HearthError, type StoredEvent } from "@hearth/protocol";
import { type Chunk, isJson } from "./byte-streams.ts";
import { splitMessages } from "./messages.ts";

/**
 * Returns the chunk events of an append. Throws `request.invalid` for content that is not of the
 * type.
 */
export const toChunks = (contentType: string, bytes: Uint8Array, at: number): readonly ChunkEvent[] => {
  if (bytes.length === 0) return [];
  if (!isJson(contentType)) return [toEvent(bytes, at)];
  return splitMessages(bytes).map((data) => ({ type: "chunk", at, encoding: "utf8", data }));
};

export const toEvent = (bytes: Uint8Array, at: number): ChunkEvent => {
  try {
    return { type: "chunk", at, encoding: "utf8", data: strictDecoder.decode(bytes) };
  } catch {
    return { type: "chunk", at, encoding: "base64", data: bytes.toBase64() };
  }
};

export const toChunk = (event: StoredEvent, offset: number): Chunk => {
  if (event.type === "damaged") {
    throw new HearthError("store.damaged", `Chunk ${offset} of this stream is damaged and cannot be read.`, {
      hint: "List damaged data: hearth doctor --deep. Restore the home folder from a backup, or continue reading after the chunk.",
    });
  }
  if (event.type !== "chunk") throw new TypeError(`a stream of bytes holds no ${event.type}`);
  return { offset, bytes: event.encoding === "utf8" ? encoder.encode(event.data) : Uint8Array.fromBase64(event.data) };
};

// Keeps a U+FEFF at the start of a chunk, which a decoder drops by default.
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
