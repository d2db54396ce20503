/**
 * Prepares brain files for the prompt: leaves out untrusted lines and shortens long files. Caches
 * the result while a file is unchanged.
 */
import { isHearthError, isTainted } from "@hearth/protocol";
import type { Brain, LabelledLine } from "../brains/brain.ts";
import { MAX_PART_LENGTH, shorten } from "./shorten.ts";

export interface PromptFile {
  readonly path: string;
  /** The text without untrusted lines, at most `MAX_PART_LENGTH` long. */
  readonly text: string;
  /** Length of the whole file, in UTF-16 code units. */
  readonly length: number;
  readonly isCut: boolean;
  /** Number of untrusted lines that were left out. */
  readonly hiddenLines: number;
}

export interface PromptFiles {
  /** Reads a file. Returns undefined if it is missing, blank or a link. */
  read(path: string): Promise<PromptFile | undefined>;
  /** Returns the sorted names in a folder, or no names if there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
}

/** The note that replaces consecutive untrusted lines. */
export const HIDDEN_LINES_NOTE = "[untrusted lines are left out here; `read_brain` shows them]";

export const createPromptFiles = (): ((brain: Pick<Brain, "readLabelled" | "names">) => PromptFiles) => {
  /** The cache by array of lines: a brain returns the same array while a file is unchanged. */
  const cache = new WeakMap<readonly LabelledLine[], PromptFile | "blank">();

  const toCached = (path: string, lines: readonly LabelledLine[]): PromptFile | "blank" => {
    const cachedFile = cache.get(lines);
    if (cachedFile !== undefined) return cachedFile;
    const file = toPromptFile(path, lines);
    cache.set(lines, file);
    return file;
  };

  return (brain) => ({
    async read(path) {
      try {
        const lines = await brain.readLabelled(path);
        const file = lines === undefined ? "blank" : toCached(path, lines);
        return file === "blank" ? undefined : file;
      } catch (error) {
        // Prompt paths stay inside the brain, so this path is a link, which is not a brain file.
        if (isHearthError(error, "brain.path")) return undefined;
        throw error;
      }
    },
    names: brain.names,
  });
};

const toPromptFile = (path: string, lines: readonly LabelledLine[]): PromptFile | "blank" => {
  const { shownLines, hiddenLines } = withoutUntrusted(lines);
  const text = shownLines.join("\n").trim();
  if (text === "") return "blank";
  const length = lines.reduce((sum, line) => sum + line.text.length + 1, -1);
  return { path, text: shorten(text, path), length, isCut: text.length > MAX_PART_LENGTH, hiddenLines };
};

/**
 * Removes untrusted lines. Blank lines have no label and stay, except between two untrusted lines.
 */
const withoutUntrusted = (lines: readonly LabelledLine[]) => {
  const shownLines: string[] = [];
  let blanks: string[] = [];
  let hiddenLines = 0;
  let isHiding = false;
  for (const { text, label } of lines) {
    if (text.trim() === "") {
      blanks.push(text);
      continue;
    }
    const isUntrusted = isTainted(label);
    if (isUntrusted) hiddenLines += 1;
    if (!(isUntrusted && isHiding)) shownLines.push(...blanks, isUntrusted ? HIDDEN_LINES_NOTE : text);
    blanks = [];
    isHiding = isUntrusted;
  }
  return { shownLines, hiddenLines };
};
