/** What of a chunk is made into vectors: it alone, each of its sentences, and it among its neighbours. */
import type { Chunk } from "./chunk.ts";
import { parseDay, spellDay } from "./days.ts";
import { toSentences } from "./sentences.ts";

type Told = Pick<Chunk, "text" | "speaker" | "date" | "headings">;

/** The same places as in `ChunkVectors`. */
export interface ChunkTexts {
  readonly whole: string;
  readonly sentences: readonly string[];
  readonly withPrevious: string;
  readonly window: string;
}

export const toTexts = (chunk: Told, previous?: Told, next?: Told): ChunkTexts => {
  const own = told(chunk);
  const before = previous === undefined ? [] : [told(previous)];
  const after = next === undefined ? [] : [told(next)];
  const day = parseDay(chunk.date ?? "");
  return {
    whole: `${day === undefined ? "" : `[${spellDay(day)}] `}${own}`,
    sentences: toSentences(chunk.text).map((sentence) => said(chunk, sentence)),
    withPrevious: [...before, own].join("\n"),
    window: [...before, own, ...after].join("\n"),
  };
};

/** A chunk that does not begin with its heading is told under which it stands. */
const told = (chunk: Told): string => {
  const heading = chunk.headings.at(-1) ?? "";
  const isIn = heading === "" || chunk.text.includes(heading);
  return said(chunk, isIn ? chunk.text : `${heading}: ${chunk.text}`);
};

const said = ({ speaker }: Told, words: string): string =>
  speaker === undefined || words.startsWith(`${speaker}:`) ? words : `${speaker}: ${words}`;
