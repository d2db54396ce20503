/** Chunks as events: text where they are text, base64 where they are not. */
import { type ChunkEvent, HearthError, type StoredEvent } from "@hearth/protocol";
import { type Chunk, isJson } from "./byte-streams.ts";
import { splitMessages } from "./messages.ts";

/** What an append becomes, chunk by chunk. Throws `request.invalid` for what is not of the type. */
export const toChunks = (contentType: string, bytes: Uint8Array, at: number): readonly ChunkEvent[] => {
  if (bytes.length === 0) return [];
  if (!isJson(contentType)) return [toEvent(bytes, at)];
  return splitMessages(bytes).map((data) => ({ type: "chunk", at, encoding: "utf8", data }));
};

export const toEvent = (bytes: Uint8Array, at: number): ChunkEvent => {
  try {
    return { type: "chunk", at, encoding: "utf8", data: strict.decode(bytes) };
  } catch {
    return { type: "chunk", at, encoding: "base64", data: bytes.toBase64() };
  }
};

export const toChunk = (event: StoredEvent, offset: number): Chunk => {
  if (event.type === "damaged") {
    throw new HearthError("store.damaged", `Chunk ${offset} of this stream is damaged and cannot be read.`, {
      hint: "List what is damaged: hearth doctor --deep. Restore the home folder from a backup, or read on after the chunk.",
    });
  }
  if (event.type !== "chunk") throw new TypeError(`a stream of bytes holds no ${event.type}`);
  return { offset, bytes: event.encoding === "utf8" ? encoder.encode(event.data) : Uint8Array.fromBase64(event.data) };
};

// A chunk may begin with U+FEFF, which a decoder drops unless told.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
