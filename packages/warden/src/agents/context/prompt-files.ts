/** Brain files as a prompt takes them: words of others left out, what is too long cut. A file that did not change is not looked through again. */
import { isHearthError, isTainted } from "@hearth/protocol";
import type { Brain, LabelledLine } from "../brains/brain.ts";
import { MAX_PART_LENGTH, shorten } from "./shorten.ts";

export interface PromptFile {
  readonly path: string;
  /** Nothing that others wrote, and at most `MAX_PART_LENGTH`. */
  readonly text: string;
  /** Of the whole file, as it lies there, in UTF-16 code units. */
  readonly length: number;
  readonly isCut: boolean;
  /** Lines that are left out because others wrote them. */
  readonly hiddenLines: number;
}

export interface PromptFiles {
  /** Undefined when it is missing or blank, or a link is in its place. */
  read(path: string): Promise<PromptFile | undefined>;
  /** Names right in a folder, in order; none when there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
}

/** What stands in place of lines that others wrote, however many follow each other. */
export const HIDDEN = "[words of others are left out here; `read_brain` shows them]";

export const createPromptFiles = (): ((brain: Pick<Brain, "readLabelled" | "names">) => PromptFiles) => {
  /** A brain gives the very same lines while a file is the same. */
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
        // Nothing that a prompt names leads out of the brain but through a link, which is none of its files.
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

/** Blank lines are nobody's: they stay, but for those between two lines of others. */
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
