/** Converts a found chunk to the format of the protocol. */
import type { MemoryHit } from "@hearth/protocol/memory-frames";
import type { IndexedChunk } from "../index/chunk-index.ts";
import { toParts } from "../retrieval/parts.ts";

export const toHit = (chunk: IndexedChunk, score: number, why: Readonly<Record<string, number>>): MemoryHit => {
  const { id, path, headings, lines, text, date, speaker, audience, integrity, supersededBy } = chunk;
  return {
    id,
    path,
    headings: [...headings],
    lines: [...lines],
    text,
    audience,
    integrity,
    score,
    parts: { ...toParts(why) },
    ...(date === undefined ? {} : { date }),
    ...(speaker === undefined ? {} : { speaker }),
    ...(supersededBy === undefined ? {} : { supersededBy }),
  };
};
