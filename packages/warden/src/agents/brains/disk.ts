/** Storage of brains: folders of files below one root. An adapter provides the real one. */

/** A regular file on disk. */
export interface FileFacts {
  readonly path: string;
  readonly sizeBytes: number;
  /**
   * Changes whenever the file may have changed: modified, replaced, or swapped for an identical
   * one.
   */
  readonly stamp: string;
  /** When its content changed last, in UTC milliseconds. */
  readonly changedAt: number;
}

/** A name in a folder. `why`: the reason that an entry of kind `other` cannot be read. */
export type FolderEntry = Pick<FileFacts, "changedAt"> & { readonly name: string } & (
    | { readonly kind: "file"; readonly sizeBytes: number }
    | { readonly kind: "folder" }
    | { readonly kind: "other"; readonly why: string }
  );

export interface Listed {
  /** Sorted by code units. */
  readonly entries: readonly FolderEntry[];
  /** False when the folder has more. */
  readonly isComplete: boolean;
}

export interface FileRead extends FileFacts {
  readonly bytes: Uint8Array;
}

export interface WalkOptions {
  /** Whether to skip a file or folder of this name, with everything below it. */
  readonly skips: (name: string, path: string) => boolean;
  readonly maxFiles: number;
}

export interface Walked {
  /** By path, sorted by code units. */
  readonly files: readonly FileFacts[];
  /** Links, which are never followed. `stamp` changes whenever the link may lead elsewhere. */
  readonly links: readonly Pick<FileFacts, "path" | "stamp">[];
  /** Entries that are not brain files: links, pipes, invalid names. */
  readonly notes: readonly { readonly path: string; readonly why: string }[];
  /** False when the walk ended at its limit: more may be there. The last note names the limit. */
  readonly isComplete: boolean;
}

/**
 * Contract, checked by `brainDiskConformance`. All paths are relative to the tree and plain: see
 * `path.ts`.
 * - A link in the path, or a folder or pipe at its end, throws `brain.path`; no call blocks on a
 *   pipe. A missing file is `undefined`.
 * - No race with other writers makes a call reach outside the tree.
 * - A read returns the whole file as of one moment. A file that keeps changing throws
 *   `brain.changed`.
 * - A file is replaced completely or not at all, and is durable when the call resolves. One that no
 *   longer matches `expected` is left alone.
 */
export interface BrainTree {
  look(path: string): Promise<FileFacts | undefined>;
  /**
   * Names directly in a folder, sorted by code units; none if the folder is missing or the path
   * leads through a link. Costs one stat while no entry was added or removed.
   */
  names(folder: string): Promise<readonly string[]>;
  /** Lists a folder. Undefined for a missing one. Throws `brain.path` for a file. */
  entries(folder: string, maxEntries: number): Promise<Listed | undefined>;
  /**
   * Reads the bytes of a file from `from` up to, not including, `to`, in pieces. Throws
   * `brain.changed` if the file had not this stamp before the first piece and after the last one.
   */
  pieces(file: Pick<FileFacts, "path" | "stamp">, from: number, to: number): AsyncIterable<Uint8Array>;
  /** Throws `brain.too-large`. */
  read(path: string, maxBytes: number): Promise<FileRead | undefined>;
  /**
   * Creates missing folders. `expected`: stamp of the file to replace, or `undefined` for none.
   * Returns `undefined` if the path holds something else.
   */
  replace(path: string, bytes: Uint8Array, expected: string | undefined): Promise<FileFacts | undefined>;
  /**
   * Returns false if the path holds something else. Also removes the folder if it becomes empty.
   */
  remove(path: string, expected: string): Promise<boolean>;
  /** Walks a folder, or the whole tree for "". */
  walk(folder: string, options: WalkOptions): Promise<Walked>;
}

/** Files below one root, by slash-separated path. */
export interface BrainDisk {
  /** Absolute path of a place below the root, for mounts of a cell. */
  absolute(path: string): string;
  /** `undefined` if there is no such file. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  /** Follows no link. Throws `brain.path` if the path holds something that is not a folder. */
  makeFolder(path: string): Promise<void>;
  /**
   * Makes a folder hold exactly these files and folders of another one, besides a `workspace`.
   * Skips missing ones.
   */
  copy(from: string, names: readonly string[], to: string): Promise<void>;
  /** Names of the folders directly below the root. */
  folders(): Promise<readonly string[]>;
  /** Opens a folder directly below the root. */
  tree(folder: string): BrainTree;
}
