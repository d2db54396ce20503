/**
 * Prepares brain files for the prompt: leaves out lines of others and shortens long files. Caches
 * unchanged files.
 */
import { isHearthError, isTainted } from "@hearth/protocol";
import type { Brain, LabelledLine } from "../brains/brain.ts";
import { MAX_PART_LENGTH, shorten } from "./shorten.ts";

export interface PromptFile {
  readonly path: string;
  /** Without lines of others, and at most `MAX_PART_LENGTH`. */
  readonly text: string;
  /** Length of the whole file, in UTF-16 code units. */
  readonly length: number;
  readonly isCut: boolean;
  /** Number of lines left out because others wrote them. */
  readonly hiddenLines: number;
}

export interface PromptFiles {
  /** Undefined if the file is missing, blank or a link. */
  read(path: string): Promise<PromptFile | undefined>;
  /** Names directly in a folder, sorted; none if there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
}

/** Replaces consecutive lines that others wrote. */
export const HIDDEN = "[words of others are left out here; `read_brain` shows them]";

export const createPromptFiles = (): ((brain: Pick<Brain, "readLabelled" | "names">) => PromptFiles) => {
  /** A brain returns the same array of lines while a file is unchanged. */
  const kept = new WeakMap<readonly LabelledLine[], PromptFile | "blank">();

  const take = (path: string, lines: readonly LabelledLine[]): PromptFile | "blank" => {
    const known = kept.get(lines);
    if (known !== undefined) return known;
    const file = toPromptFile(path, lines);
    kept.set(lines, file);
    return file;
  };

  return (brain) => ({
    async read(path) {
      try {
        const lines = await brain.readLabelled(path);
        const file = lines === undefined ? "blank" : take(path, lines);
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
  const { shown, hiddenLines } = withoutOthers(lines);
  const text = shown.join("\n").trim();
  if (text === "") return "blank";
  const length = lines.reduce((sum, line) => sum + line.text.length + 1, -1);
  return { path, text: shorten(text, path), length, isCut: text.length > MAX_PART_LENGTH, hiddenLines };
};

/** Blank lines have no author. They stay, except between two lines of others. */
const withoutOthers = (lines: readonly LabelledLine[]) => {
  const shown: string[] = [];
  let blanks: string[] = [];
  let hiddenLines = 0;
  let isHiding = false;
  for (const { text, label } of lines) {
    if (text.trim() === "") {
      blanks.push(text);
      continue;
    }
    const isOfOthers = isTainted(label);
    if (isOfOthers) hiddenLines += 1;
    if (!(isOfOthers && isHiding)) shown.push(...blanks, isOfOthers ? HIDDEN : text);
    blanks = [];
    isHiding = isOfOthers;
  }
  return { shown, hiddenLines };
};
