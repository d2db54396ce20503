/**
 * Searches the files of a workspace by their paths and their text. There is no index: files change
 * at any time, by programs that announce nothing. So one search reads a limited number of bytes.
 */
import type { Excerpt } from "@hearth/protocol";
import type { BrainTree } from "./disk.ts";
import { WORKSPACE } from "./path.ts";

export interface WorkspaceHit {
  /** Relative to the workspace. */
  readonly path: string;
  /** The first line with one of the words, and its part around them. Absent: only the path has them. */
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
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "venv"]);

/** Returns the files in which every word occurs, in the path or in the text, sorted by path. */
export const searchWorkspace = async (
  tree: Pick<BrainTree, "entries" | "walk" | "pieces">,
  query: string,
  limit: number,
): Promise<readonly WorkspaceHit[]> => {
  const words = wordsIn(query);
  if (words.length === 0 || (await tree.entries(WORKSPACE, 0)) === undefined) return [];
  const { files } = await tree.walk(WORKSPACE, {
    skips: (name) => name.startsWith(".") || SKIPPED.has(name),
    maxFiles: MAX_FILES,
  });
  const hits: WorkspaceHit[] = [];
  let left = MAX_READ_BYTES;
  for (const facts of files) {
    if (hits.length === limit) break;
    const path = facts.path.slice(WORKSPACE.length + 1);
    const inPath = fold(path);
    const missing = words.filter((word) => !inPath.includes(word));
    if (missing.length === 0) {
      hits.push({ path });
      continue;
    }
    if (facts.sizeBytes > Math.min(MAX_FILE_BYTES, left)) continue;
    left -= facts.sizeBytes;
    const text = await readText(tree.pieces(facts, 0, facts.sizeBytes), facts.sizeBytes);
    const found = text === undefined ? undefined : findIn(text, missing);
    if (found !== undefined) hits.push({ path, found });
  }
  return hits;
};

/** The words of a query, folded. A phrase in quotes is one word. */
const wordsIn = (query: string): readonly string[] =>
  [...query.matchAll(/"([^"]+)"|[^\s"]+/g)]
    .map(([whole, phrase]) => fold(phrase ?? whole))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Folds case and accents. Keeps the length, so that places in the folded text are places in the text. */
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
  let at = 0;
  try {
    for await (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    if (bytes.includes(0)) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const findIn = (text: string, words: readonly string[]): WorkspaceHit["found"] => {
  const folded = fold(text);
  const places = words.map((word) => folded.indexOf(word));
  if (places.includes(-1)) return undefined;
  const first = Math.min(...places);
  const lineStart = text.lastIndexOf("\n", first - 1) + 1;
  const lineEnd = text.indexOf("\n", first) === -1 ? text.length : text.indexOf("\n", first);
  const start = Math.max(lineStart, first - EXCERPT_LEAD);
  const excerpt = text.slice(start, Math.min(lineEnd, start + EXCERPT_LENGTH)).toWellFormed();
  const foldedExcerpt = folded.slice(start, start + excerpt.length);
  const marks = words.flatMap((word): [number, number][] => {
    const at = foldedExcerpt.indexOf(word);
    return at === -1 ? [] : [[at, at + word.length]];
  });
  return {
    line: text.slice(0, first).split("\n").length,
    excerpt: { text: excerpt, marks: marks.sort(([a], [b]) => a - b) },
  };
};
