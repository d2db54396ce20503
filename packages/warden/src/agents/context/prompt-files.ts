/**
 * Prepares brain files for the prompt: leaves out untrusted lines and shortens long files. Caches
 * unchanged files.
 */
import { isHearthError, isTainted } from "@hearth/protocol";
import type { Brain, LabelledLine } from "../brains/brain.ts";
import { MAX_PART_LENGTH, shorten } from "./shorten.ts";

export interface PromptFile {
  readonly path: string;
  /** Without untrusted lines, and at most `MAX_PART_LENGTH` long. */
  readonly text: string;
  /** Length of the whole file, in UTF-16 code units. */
  readonly length: number;
  readonly isCut: boolean;
  /** Number of untrusted lines left out. */
  readonly hiddenLines: number;
}

export interface PromptFiles {
  /** Undefined if the file is missing, blank or a link. */
  read(path: string): Promise<PromptFile | undefined>;
  /** Names directly in a folder, sorted; none if there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
}

/** Replaces consecutive untrusted lines. */
export const HIDDEN = "[untrusted lines are left out here; `read_brain` shows them]";

export const createPromptFiles = (): ((brain: Pick<Brain, "readLabelled" | "names">) => PromptFiles) => {
  /** By lines: a brain returns the same array while a file is unchanged. */
  const cache = new WeakMap<readonly LabelledLine[], PromptFile | "blank">();

  const toCached = (path: string, lines: readonly LabelledLine[]): PromptFile | "blank" => {
    const known = cache.get(lines);
    if (known !== undefined) return known;
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
  const { shown, hiddenLines } = withoutUntrusted(lines);
  const text = shown.join("\n").trim();
  if (text === "") return "blank";
  const length = lines.reduce((sum, line) => sum + line.text.length + 1, -1);
  return { path, text: shorten(text, path), length, isCut: text.length > MAX_PART_LENGTH, hiddenLines };
};

/** Blank lines have no label. They stay, except between two untrusted lines. */
const withoutUntrusted = (lines: readonly LabelledLine[]) => {
  const shown: string[] = [];
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
    if (!(isUntrusted && isHiding)) shown.push(...blanks, isUntrusted ? HIDDEN : text);
    blanks = [];
    isHiding = isUntrusted;
  }
  return { shown, hiddenLines };
};
