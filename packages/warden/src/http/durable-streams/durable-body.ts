/** Joins chunks for a reader: bytes concatenated, JSON messages as one array. */
import type { Chunk } from "../../kernel/index.ts";
import { isJson } from "../../kernel/lazy.ts";

export const joinChunks = (contentType: string, chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> => {
  const parts = isJson(contentType) ? toArray(chunks) : chunks.map(({ bytes }) => bytes);
  const joinedBytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joinedBytes.set(part, offset);
    offset += part.length;
  }
  return joinedBytes;
};

const [OPEN, COMMA, CLOSE] = ["[", ",", "]"].map((sign) => new TextEncoder().encode(sign));

const toArray = (messages: readonly Chunk[]): readonly Uint8Array[] =>
  [OPEN, ...messages.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [COMMA, bytes])), CLOSE].filter(
    (part) => part !== undefined,
  );
