/**
 * The texts of a chunk that become vectors: the chunk, its sentences, and the chunk with its
 * neighbours.
 */
import type { Chunk } from "./chunk.ts";
import { parseDay, spellDay } from "./days.ts";
import { toSentences } from "./sentences.ts";

type ChunkText = Pick<Chunk, "text" | "speaker" | "date" | "headings">;

/** One text for each vector in `ChunkVectors`. */
export interface ChunkTexts {
  readonly whole: string;
  readonly sentences: readonly string[];
  readonly withPrevious: string;
  readonly window: string;
}

export const toTexts = (chunk: ChunkText, previous?: ChunkText, next?: ChunkText): ChunkTexts => {
  const ownText = toText(chunk);
  const previousTexts = previous === undefined ? [] : [toText(previous)];
  const nextTexts = next === undefined ? [] : [toText(next)];
  const day = parseDay(chunk.date ?? "");
  return {
    whole: `${day === undefined ? "" : `[${spellDay(day)}] `}${ownText}`,
    sentences: toSentences(chunk.text).map((sentence) => withSpeaker(chunk, sentence)),
    withPrevious: [...previousTexts, ownText].join("\n"),
    window: [...previousTexts, ownText, ...nextTexts].join("\n"),
  };
};

/** Returns the text of a chunk below its innermost heading, unless the text already contains the heading. */
const toText = (chunk: ChunkText): string => {
  const heading = chunk.headings.at(-1) ?? "";
  const containsHeading = heading === "" || chunk.text.includes(heading);
  return withSpeaker(chunk, containsHeading ? chunk.text : `${heading}: ${chunk.text}`);
};

const withSpeaker = ({ speaker }: ChunkText, text: string): string =>
  speaker === undefined || text.startsWith(`${speaker}:`) ? text : `${speaker}: ${text}`;
