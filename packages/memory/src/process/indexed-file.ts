/** Chunks a file of a brain and labels each chunk with its audience and integrity. */
import type { World } from "@hearth/protocol";
import type { MemoryFile, MemoryIntegrity } from "@hearth/protocol/memory-frames";
import type { Chunk } from "../chunks/chunk.ts";
import { chunkFile } from "../chunks/chunk-file.ts";
import type { IndexedFile } from "../index/chunk-index.ts";

export interface ChunkedFile {
  readonly file: IndexedFile;
  /** Why the file has no chunks, for users. */
  readonly note?: string;
}

/** Removes the path and the full stop from a note, so that it can follow the path. */
export const toReason = (path: string, note: string): string =>
  (note.startsWith(`${path} `) ? note.slice(path.length + 1) : note).replace(/\.$/, "");

interface Line {
  readonly text: string;
  readonly audience: string;
  readonly integrity: MemoryIntegrity;
}

/** Integrity values in descending order of trust. */
const TRUST_ORDER: readonly MemoryIntegrity[] = ["owner", "trusted", "untrusted"];

/**
 * Chunks a file. Chunks never mix audiences, because each audience's lines are chunked as if the
 * others were blank. A chunk has the integrity of its least trusted line.
 */
export const toChunkedFile = (file: MemoryFile, hash: World["hash"]): ChunkedFile => {
  const { path } = file;
  const lines = toLines(file);
  const audiences = [...new Set(lines.map(({ audience }) => audience))].sort();
  const parts = audiences.map((audience) => {
    const text = audiences.length === 1 ? file.text : textFor(audience, lines);
    return { audience, chunking: chunkFile({ path, text }, hash) };
  });
  const chunks: IndexedFile["chunks"][number][] = [];
  for (const { audience, chunking } of parts) {
    if (chunking.kind === "refused") return { file: { path, hash: file.hash, chunks: [] }, note: chunking.note };
    for (const chunk of chunking.chunks) chunks.push({ ...chunk, audience, integrity: leastTrusted(lines, chunk) });
  }
  if (audiences.length > 1) chunks.sort((a, b) => a.lines[0] - b.lines[0]);
  const numberedChunks = chunks.map((chunk, ordinal) =>
    chunk.ordinal === ordinal ? chunk : { ...chunk, ordinal, id: hash(JSON.stringify([chunk.id, chunk.audience])) },
  );
  return { file: { path, hash: file.hash, chunks: numberedChunks } };
};

const toLines = ({ text, audience, integrity, ranges }: MemoryFile): readonly Line[] => {
  const lines: Line[] = text.split(/\r\n|\n|\r/).map((line) => ({ text: line, audience, integrity }));
  for (const {
    lines: [first, last],
    ...label
  } of ranges) {
    for (let line = first; line <= Math.min(last, lines.length); line += 1) {
      lines[line - 1] = { ...label, text: lines[line - 1]?.text ?? "" };
    }
  }
  return lines;
};

const textFor = (audience: string, lines: readonly Line[]): string =>
  lines.map((line) => (line.audience === audience ? line.text : "")).join("\n");

const leastTrusted = (lines: readonly Line[], { lines: [first, last] }: Chunk): MemoryIntegrity => {
  const ranks = lines.slice(first - 1, last).map(({ integrity }) => TRUST_ORDER.indexOf(integrity));
  return TRUST_ORDER[ranks.reduce((lowest, rank) => Math.max(lowest, rank), 0)] ?? "untrusted";
};
