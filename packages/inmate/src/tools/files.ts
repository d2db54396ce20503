/** `Files` is the only access of tools to files. All paths are below one root. */
import { HearthError } from "@hearth/protocol";
import { quotePath } from "./path.ts";

export type EntryKind = "file" | "folder" | "link" | "other";

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
  /** The size of a file. 0 for other entries. */
  readonly sizeBytes: number;
  /** UTC milliseconds. */
  readonly modifiedAt: number;
}

export interface FoundFile {
  /** The path from the root, with `/` between names. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

export interface WalkOptions {
  /** Maximum number of entries to visit. */
  readonly maxEntries: number;
  /** Maximum depth below the start. */
  readonly maxDepth: number;
  /** Names of folders to skip, unless the walk starts in one. */
  readonly skip: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * File access below one root.
 *
 * Contract, checked by `filesConformance`:
 * - paths follow `path.ts`; any other path throws `tool.path` before any access
 * - a symbolic link anywhere in a path throws `tool.path`, even a dangling one
 * - a file with a second hard link, a pipe, a socket or a device throws `tool.path`, without
 *   waiting
 * - a missing file or folder throws `tool.not-found`
 * - concurrent changes of the folder can make a call fail, but never reach beyond the root
 */
export interface Files {
  /** Reads the whole file. Throws `tool.too-large` over `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /**
   * Replaces or creates a whole file atomically. Creates missing folders. An existing file keeps
   * its mode, and a new one may be read-only. An iterable is written piece by piece; if it throws, the
   * file does not change.
   */
  write(
    path: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    mode?: "read-only",
  ): Promise<{ readonly created: boolean }>;
  /** Deletes one file. Its folder stays. */
  remove(path: string): Promise<void>;
  stat(path: string): Promise<Entry>;
  /** Returns the first `limit` entries of a folder, sorted by name, and the total number of entries. */
  list(path: string, limit: number): Promise<{ readonly entries: readonly Entry[]; readonly total: number }>;
  /**
   * Returns the files below a folder, depth first and sorted by name. Neither follows nor lists
   * links. Ends early when aborted.
   */
  walk(
    path: string,
    options: WalkOptions,
  ): Promise<{ readonly files: readonly FoundFile[]; readonly complete: boolean }>;
}

/** Compares names by code units, so that the order does not depend on the machine's locale. */
export const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Errors of all implementations, so that a model always reads the same texts. */
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
  folder: (path: string): HearthError =>
    new HearthError("tool.path", `${quotePath(path)} is a folder.`, {
      hint: "Name a file; `list` shows what is in a folder.",
    }),
  notFolder: (path: string): HearthError =>
    new HearthError("tool.path", `${quotePath(path)} is not a folder, or goes through a file.`),
  tooLarge: (path: string, sizeBytes: number, maxBytes: number): HearthError =>
    new HearthError("tool.too-large", `${quotePath(path)} has ${sizeBytes} bytes; at most ${maxBytes} can be read.`, {
      hint: "Commands read larger files, for example `head -c 100000 PATH` with the tool shell.",
    }),
} as const;
