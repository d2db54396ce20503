/**
 * Reads brain files as labelled text and caches them. A read of an unchanged file costs one stat.
 */
import { type Label, OWNER_LABEL } from "@hearth/protocol";
import type { LabelledLine } from "./brain.ts";
import type { BrainTree, FileFacts } from "./disk.ts";
import type { LineLabels } from "./line-labels.ts";
import { bareLine, decodeText, splitLines } from "./lines.ts";

export interface ReadText {
  /** The text, or `undefined` if the file is not text or is too long. */
  readonly text: string | undefined;
  readonly lines: readonly LabelledLine[];
}

export interface TextCache {
  /** Returns the cached text if the file on disk still has these facts. */
  cached(path: string, facts: FileFacts): ReadText | undefined;
  read(path: string): Promise<ReadText | undefined>;
  /** Removes a file from the cache because its labels have changed. */
  forget(path: string): void;
}

/** Maximum size in bytes of a text that is shown to a model or on a page. */
export const MAX_READ = 1024 * 1024;
/** Number of files in the cache, most recently used first. */
const MAX_CACHED_FILES = 64;

export const createTextCache = ({
  tree,
  lines,
}: {
  readonly tree: BrainTree;
  readonly lines: LineLabels;
}): TextCache => {
  const remembered = new Map<string, ReadText & { readonly stamp: string }>();

  const toRead = (path: string, bytes: Uint8Array): ReadText => {
    const text = decodeText(bytes);
    if (text === undefined) return noted(`${path} is left out: it is not text in UTF-8.`);
    const bare = splitLines(text).map(bareLine);
    return { text, lines: bare.map((line) => ({ text: line, label: lines.labelOf(path, line) })) };
  };

  return {
    cached(path, { stamp }) {
      const found = remembered.get(path);
      return found?.stamp === stamp ? found : undefined;
    },
    async read(path) {
      const facts = await tree.stat(path);
      if (facts === undefined) return undefined;
      if (facts.sizeBytes > MAX_READ)
        return noted(`${path} is left out: it has ${facts.sizeBytes} bytes, and at most ${MAX_READ} are read.`);
      const file = await tree.read(path, MAX_READ);
      if (file === undefined) return undefined;
      const read = { ...toRead(path, file.bytes), stamp: file.stamp };
      remembered.delete(path);
      remembered.set(path, read);
      for (const oldest of remembered.keys()) {
        if (remembered.size <= MAX_CACHED_FILES) break;
        remembered.delete(oldest);
      }
      return read;
    },
    forget: (path) => void remembered.delete(path),
  };
};

/** Groups consecutive lines with equal labels. Lines with the owner's label belong to no group. */
export const spansOf = (
  lines: readonly LabelledLine[],
): readonly { readonly from: number; readonly to: number; readonly label: Label }[] => {
  const spans: { from: number; to: number; label: Label }[] = [];
  for (const [index, { label }] of lines.entries()) {
    if (label === OWNER_LABEL) continue;
    const open = spans.at(-1);
    if (open?.to === index && JSON.stringify(open.label) === JSON.stringify(label)) open.to = index + 1;
    else spans.push({ from: index + 1, to: index + 1, label });
  }
  return spans;
};

/** Returns a note that replaces a file's text. */
export const noted = (note: string): ReadText => ({
  text: undefined,
  lines: [{ text: `(${note})`, label: OWNER_LABEL }],
});
