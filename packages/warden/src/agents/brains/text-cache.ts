/**
 * Reads brain files as labelled text and caches them. A read of an unchanged file costs one stat.
 */
import { type Label, OWNER_LABEL } from "@hearth/protocol";
import type { LabelledLine } from "./brain.ts";
import type { BrainTree, FileFacts } from "./disk.ts";
import type { LineLabels } from "./line-labels.ts";
import { bareLine, decodeText, splitLines } from "./lines.ts";

export interface LabelledText {
  /** The text, or `undefined` if the file is not text or is too long. */
  readonly text: string | undefined;
  readonly lines: readonly LabelledLine[];
}

export interface TextCache {
  /** Returns the cached text if the file on disk still has these facts. */
  cached(path: string, facts: FileFacts): LabelledText | undefined;
  read(path: string): Promise<LabelledText | undefined>;
  /** Removes a file from the cache because its labels have changed. */
  forget(path: string): void;
}

/** Maximum size in bytes of a text that is shown to a model or on a page. */
export const MAX_READ_BYTES = 1024 * 1024;
/** Number of files in the cache, most recently used first. */
const MAX_CACHED_FILES = 64;

export const createTextCache = ({
  tree,
  lines,
}: {
  readonly tree: BrainTree;
  readonly lines: LineLabels;
}): TextCache => {
  const entries = new Map<string, LabelledText & { readonly stamp: string }>();

  const toRead = (path: string, bytes: Uint8Array): LabelledText => {
    const text = decodeText(bytes);
    if (text === undefined) return toNote(`${path} is left out: it is not text in UTF-8.`);
    const bareLines = splitLines(text).map(bareLine);
    return { text, lines: bareLines.map((line) => ({ text: line, label: lines.labelOf(path, line) })) };
  };

  return {
    cached(path, { stamp }) {
      const entry = entries.get(path);
      return entry?.stamp === stamp ? entry : undefined;
    },
    async read(path) {
      const facts = await tree.stat(path);
      if (facts === undefined) return undefined;
      if (facts.sizeBytes > MAX_READ_BYTES)
        return toNote(`${path} is left out: it has ${facts.sizeBytes} bytes, and at most ${MAX_READ_BYTES} are read.`);
      const file = await tree.read(path, MAX_READ_BYTES);
      if (file === undefined) return undefined;
      const entry = { ...toRead(path, file.bytes), stamp: file.stamp };
      entries.delete(path);
      entries.set(path, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_CACHED_FILES) break;
        entries.delete(oldest);
      }
      return entry;
    },
    forget: (path) => void entries.delete(path),
  };
};

/** Groups consecutive lines with equal labels. Lines with the owner's label belong to no group. */
export const spansOf = (
  lines: readonly LabelledLine[],
): readonly { readonly from: number; readonly to: number; readonly label: Label }[] => {
  const spans: { from: number; to: number; label: Label }[] = [];
  for (const [index, { label }] of lines.entries()) {
    if (label === OWNER_LABEL) continue;
    const lastSpan = spans.at(-1);
    if (lastSpan?.to === index && JSON.stringify(lastSpan.label) === JSON.stringify(label)) lastSpan.to = index + 1;
    else spans.push({ from: index + 1, to: index + 1, label });
  }
  return spans;
};

/** Returns a note that replaces a file's text. */
export const toNote = (note: string): LabelledText => ({
  text: undefined,
  lines: [{ text: `(${note})`, label: OWNER_LABEL }],
});
