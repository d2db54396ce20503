/**
 * Splits a Markdown file into chunks: at headings, then between blocks, then inside blocks that are
 * too long.
 */
import type { World } from "@hearth/protocol";
import { type Block, toBlocks } from "./blocks.ts";
import type { Chunk } from "./chunk.ts";
import { findDay } from "./dates.ts";
import type { Day } from "./days.ts";
import { type Piece, toPieces } from "./pieces.ts";
import { nameBeforeColon, speakerOf } from "./speakers.ts";
import { createSizes } from "./tokens.ts";

/** The chunks of a file, or the reason why it cannot be indexed. A file of blank lines has no chunks. */
export type ChunkingResult =
  | { readonly kind: "chunks"; readonly chunks: readonly Chunk[] }
  | { readonly kind: "refused"; readonly note: string };

export interface FileToChunk {
  /** Relative to the brain's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Maximum length of a file in UTF-16 code units. A longer file is data rather than notes. */
const MAX_FILE_LENGTH = 64 * 1024 * 1024;
/** Number of characters that are checked to distinguish text from binary data. */
const SAMPLE_LENGTH = 8192;
const BYTE_ORDER_MARK = "\uFEFF";

/** Chunks a file. `hash` computes the ids. */
export const chunkFile = ({ path, text }: FileToChunk, hash: World["hash"]): ChunkingResult => {
  const refusal = refusalReason(path, text);
  if (refusal !== undefined) return { kind: "refused", note: refusal };
  // Replaces lone surrogates, which UTF-8 cannot encode, so that the same text is hashed, stored and shown.
  const lines = text
    .toWellFormed()
    .replace(BYTE_ORDER_MARK, "")
    .split(/\r\n|\n|\r/);
  const blocks = toBlocks(lines);
  const file = readFile(path, lines, blocks);
  const sizes = createSizes(lines);
  const chunks = toSections(blocks).flatMap((section) =>
    toPieces(lines, sizes, section.blocks).map((piece) => toChunkFields(file, section.headings, piece)),
  );
  return {
    kind: "chunks",
    chunks: chunks.map((chunk, ordinal) => ({
      ...chunk,
      id: hash(JSON.stringify([path, chunk.headings, ordinal, chunk.text])),
      path,
      ordinal,
    })),
  };
};

const refusalReason = (path: string, text: string): string | undefined => {
  if (text.length > MAX_FILE_LENGTH) {
    return `${path} has ${text.length} characters; at most ${MAX_FILE_LENGTH} are indexed. Split it, or leave it out of memory.`;
  }
  const sample = text.slice(0, SAMPLE_LENGTH);
  // oxlint-disable-next-line no-control-regex -- control characters distinguish binary data from text
  const controlCount = sample.match(/[\u0001-\u0008\u000E-\u001A\u001C-\u001F\uFFFD]/g)?.length ?? 0;
  if (sample.includes("\0") || controlCount > sample.length / 10)
    return `${path} is not text: only text files are indexed.`;
  return undefined;
};

/** Values that apply to every chunk of a file. */
interface FileFacts {
  readonly date?: Day;
  readonly speaker?: string;
}

const readFile = (path: string, lines: readonly string[], blocks: readonly Block[]): FileFacts => {
  const frontMatterLines = blocks[0]?.kind === "front-matter" ? lines.slice(1, blocks[0].last) : [];
  const field = (name: RegExp): string | undefined =>
    frontMatterLines.flatMap((line) => name.exec(line)?.[1]?.replace(/^["']|["']$/g, "") ?? [])[0];
  const date = findDay(field(/^date\s*:\s*(.+?)\s*$/i) ?? "") ?? findDay(path.split("/").at(-1) ?? "");
  const speaker = field(/^(?:speaker|author|from)\s*:\s*(.+?)\s*$/i);
  return { ...(date === undefined ? {} : { date }), ...(speaker === undefined ? {} : { speaker }) };
};

const toChunkFields = (file: FileFacts, headings: readonly string[], { text, lines }: Piece) => {
  const innermostFirst = headings.toReversed();
  const date = innermostFirst.flatMap((heading) => findDay(heading) ?? [])[0] ?? file.date;
  const headingSpeaker = innermostFirst.flatMap((heading) => nameBeforeColon(heading) ?? [])[0];
  const speaker = speakerOf(text) ?? headingSpeaker ?? file.speaker;
  return {
    headings,
    lines,
    text,
    ...(date === undefined ? {} : { date }),
    ...(speaker === undefined ? {} : { speaker }),
  };
};

interface Section {
  readonly headings: readonly string[];
  readonly blocks: readonly Block[];
}

/**
 * Groups blocks into sections. A heading begins a section. A heading without text below it joins
 * the next section.
 */
const toSections = (blocks: readonly Block[]): readonly Section[] => {
  const sections: { headings: readonly string[]; blocks: Block[] }[] = [];
  let openHeadings: readonly { readonly level: number; readonly title: string }[] = [];
  for (const block of blocks) {
    const lastSection = sections.at(-1);
    if (block.kind !== "heading") {
      if (lastSection === undefined) sections.push({ headings: [], blocks: [block] });
      else lastSection.blocks.push(block);
      continue;
    }
    const level = block.level ?? 1;
    openHeadings = [...openHeadings.filter((heading) => heading.level < level), { level, title: block.title ?? "" }];
    const headings = openHeadings.map(({ title }) => title);
    const hasOnlyHeadings = lastSection?.blocks.every(({ kind }) => kind === "heading") === true;
    const isBelow = lastSection !== undefined && headings.length > lastSection.headings.length;
    if (hasOnlyHeadings && isBelow) {
      lastSection.blocks.push(block);
      lastSection.headings = headings;
    } else sections.push({ headings, blocks: [block] });
  }
  return sections;
};
