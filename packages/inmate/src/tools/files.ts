/** The only way for tools to reach files: everything below one root, nothing beside it. */
import { HearthError } from "@hearth/protocol";
import { quotePath } from "./path.ts";

export type EntryKind = "file" | "folder" | "link" | "other";

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
  /** 0 for what is not a file. */
  readonly sizeBytes: number;
  /** UTC milliseconds. */
  readonly modifiedAt: number;
}

export interface FoundFile {
  /** From the root, with `/` between names. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

export interface WalkOptions {
  /** Files and folders looked at, at most. */
  readonly maxEntries: number;
  /** Folders below the start, at most. */
  readonly maxDepth: number;
  /** Names of folders that are left out, unless the walk starts in one. */
  readonly skip: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * Contract, checked by `filesConformance`:
 * - a path is what `path.ts` says; everything else is `tool.path` before anything is touched
 * - a symbolic link on the way or at the end is `tool.path`, wherever it points, also if nothing is there
 * - a file with a second name (hard link), a pipe, a socket, a device: `tool.path`, and nothing waits for it
 * - what is not there is `tool.not-found`
 * - a race with whoever else changes the folder can fail a call; it never makes it reach beyond the root
 */
export interface Files {
  /** The whole file. More than `maxBytes`: `tool.too-large`. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Puts a whole file in place, all or nothing, and the folders that it needs. A file that was there keeps its mode. */
  write(path: string, bytes: Uint8Array): Promise<{ readonly created: boolean }>;
  /** Takes one file away. Its folder stays. */
  remove(path: string): Promise<void>;
  stat(path: string): Promise<Entry>;
  /** The first `limit` entries of a folder by name, and how many there are. */
  list(path: string, limit: number): Promise<{ readonly entries: readonly Entry[]; readonly total: number }>;
  /** The files below a folder, folder by folder in the order of their names. Links are not followed and not told. Ends early when aborted. */
  walk(
    path: string,
    options: WalkOptions,
  ): Promise<{ readonly files: readonly FoundFile[]; readonly complete: boolean }>;
}

/** By code units: the same everywhere, whatever the language of the machine. */
export const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What implementations throw, so that a model reads the same words everywhere. */
export const fileErrors = {
  missing: (path: string): HearthError =>
    new HearthError("tool.not-found", `There is no ${quotePath(path)}.`, {
      hint: "`list` and `glob` show what there is.",
    }),
  link: (path: string): HearthError =>
    new HearthError(
      "tool.path",
      `${quotePath(path)} is or goes through a symbolic link, which file tools do not follow.`,
      {
        hint: "Use the path of the file itself.",
      },
    ),
  hardLink: (path: string): HearthError =>
    new HearthError(
      "tool.path",
      `${quotePath(path)} is a hard link: the same file has another name, perhaps outside the workspace.`,
      {
        hint: "Work on a copy of it.",
      },
    ),
  notFile: (path: string): HearthError => new HearthError("tool.path", `${quotePath(path)} is not a regular file.`),
  isFolder: (path: string): HearthError =>
    new HearthError("tool.path", `${quotePath(path)} is a folder.`, {
      hint: "Name a file; `list` shows what is in a folder.",
    }),
  notFolder: (path: string): HearthError =>
    new HearthError("tool.path", `${quotePath(path)} is not a folder, or goes through a file.`),
  tooLarge: (path: string, sizeBytes: number, maxBytes: number): HearthError =>
    new HearthError("tool.too-large", `${quotePath(path)} has ${sizeBytes} bytes; at most ${maxBytes} can be read.`),
} as const;
