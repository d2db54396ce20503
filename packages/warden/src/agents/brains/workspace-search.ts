/**
 * Searches the files of a workspace by their paths and their text. There is no index, because
 * programs change files at any time without notice. Therefore a search reads a limited number of
 * bytes.
 */
import type { Excerpt } from "@hearth/protocol";
import type { BrainTree } from "./disk.ts";
import { WORKSPACE } from "./path.ts";

export interface WorkspaceHit {
  /** Relative to the workspace. */
  readonly path: string;
  /**
   * The first line that contains a word, and the excerpt around the word. It is absent if only the
   * path contains the words.
   */
  readonly found?: { readonly line: number; readonly excerpt: Excerpt };
}

const MAX_FILES = 5000;
/** Larger files are found by their path only. */
const MAX_FILE_BYTES = 512 * 1024;
/** Maximum number of bytes that one search reads. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
/** Maximum length of an excerpt, in UTF-16 code units, and the part of it before the first word. */
const EXCERPT_LENGTH = 160;
const EXCERPT_LEAD = 40;
/** Folders of other people's code, and hidden files. */
const SKIPPED_NAMES: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "venv"]);

/** Returns the files in which every word occurs, in the path or in the text, sorted by path. */
export const searchWorkspace = async (
  tree: Pick<BrainTree, "entries" | "walk" | "pieces">,
  query: string,
  limit: number,
): Promise<readonly WorkspaceHit[]> => {
  const words = wordsIn(query);
  if (words.length === 0 || (await tree.entries(WORKSPACE, 0)) === undefined) return [];
  const { files } = await tree.walk(WORKSPACE, {
    skips: (name) => name.startsWith(".") || SKIPPED_NAMES.has(name),
    maxFiles: MAX_FILES,
  });
  const hits: WorkspaceHit[] = [];
  let remainingBytes = MAX_READ_BYTES;
  for (const facts of files) {
    if (hits.length === limit) break;
    const path = facts.path.slice(WORKSPACE.length + 1);
    const foldedPath = fold(path);
    const wordsNotInPath = words.filter((word) => !foldedPath.includes(word));
    if (wordsNotInPath.length === 0) {
      hits.push({ path });
      continue;
    }
    if (facts.sizeBytes > Math.min(MAX_FILE_BYTES, remainingBytes)) continue;
    remainingBytes -= facts.sizeBytes;
    const text = await readText(tree.pieces(facts, 0, facts.sizeBytes), facts.sizeBytes);
    const match = text === undefined ? undefined : findIn(text, wordsNotInPath);
    if (match !== undefined) hits.push({ path, found: match });
  }
  return hits;
};

/** Returns the words of a query, folded. A phrase in quotes is one word. */
const wordsIn = (query: string): readonly string[] =>
  [...query.matchAll(/"([^"]+)"|[^\s"]+/g)]
    .map(([term, phrase]) => fold(phrase ?? term))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Folds case and accents. Keeps the length, so that offsets in the folded text are also offsets in the text. */
const fold = (text: string): string =>
  [...text]
    .map((character) => {
      const folded = character.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      return folded.length === character.length ? folded : character;
    })
    .join("");

/** Returns undefined for a file that is not text, or that changed while it was read. */
const readText = async (pieces: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<string | undefined> => {
  const bytes = new Uint8Array(sizeBytes);
  let position = 0;
  try {
    for await (const piece of pieces) {
      bytes.set(piece, position);
      position += piece.length;
    }
    if (bytes.includes(0)) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const findIn = (text: string, words: readonly string[]): WorkspaceHit["found"] => {
  const folded = fold(text);
  const offsets = words.map((word) => folded.indexOf(word));
  if (offsets.includes(-1)) return undefined;
  const firstOffset = Math.min(...offsets);
  const lineStart = text.lastIndexOf("\n", firstOffset - 1) + 1;
  const lineEnd = text.indexOf("\n", firstOffset) === -1 ? text.length : text.indexOf("\n", firstOffset);
  const start = Math.max(lineStart, firstOffset - EXCERPT_LEAD);
  const excerpt = text.slice(start, Math.min(lineEnd, start + EXCERPT_LENGTH)).toWellFormed();
  const foldedExcerpt = folded.slice(start, start + excerpt.length);
  const marks = words.flatMap((word): [number, number][] => {
    const position = foldedExcerpt.indexOf(word);
    return position === -1 ? [] : [[position, position + word.length]];
  });
  return {
    line: text.slice(0, firstOffset).split("\n").length,
    excerpt: { text: excerpt, marks: marks.sort(([a], [b]) => a - b) },
  };
};
