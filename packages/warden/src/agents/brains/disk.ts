/** The interface of the storage of brains: folders of files below one root. */

/** Facts about a regular file on disk. */
export interface FileFacts {
  readonly path: string;
  readonly sizeBytes: number;
  /** Changes whenever the file may have been modified or replaced, even by an identical file. */
  readonly stamp: string;
  /** When its content changed last, in UTC milliseconds. */
  readonly changedAt: number;
}

/** A name in a folder. `why` is the reason why an entry of kind `other` cannot be read. */
export type FolderEntry = Pick<FileFacts, "changedAt"> & { readonly name: string } & (
    | { readonly kind: "file"; readonly sizeBytes: number }
    | { readonly kind: "folder" }
    | { readonly kind: "other"; readonly why: string }
  );

export interface Listing {
  /** The entries, sorted by code units. */
  readonly entries: readonly FolderEntry[];
  /** False when the folder has more entries. */
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

export interface WalkResult {
  /** The files by path, sorted by code units. */
  readonly files: readonly FileFacts[];
  /**
   * The links, which the walk does not follow. `stamp` changes whenever the link may lead
   * elsewhere.
   */
  readonly links: readonly Pick<FileFacts, "path" | "stamp">[];
  /** Entries that are not brain files: links, pipes, invalid names. */
  readonly notes: readonly { readonly path: string; readonly why: string }[];
  /**
   * False if the walk ended at its limit, so that the tree may contain more. The last note names
   * the limit.
   */
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
 * - A file is replaced completely or not at all, and is durable when the call resolves. A file that
 *   no longer matches `expected` is left unchanged.
 */
export interface BrainTree {
  stat(path: string): Promise<FileFacts | undefined>;
  /**
   * Returns the names in a folder, sorted by code units. Returns no names if the folder is
   * missing or the path leads through a link. Costs one stat while no entry was added or removed.
   */
  names(folder: string): Promise<readonly string[]>;
  /** Lists a folder, or returns undefined if it is missing. Throws `brain.path` for a file. */
  entries(folder: string, maxEntries: number): Promise<Listing | undefined>;
  /**
   * Reads the bytes of a file from `from` up to, not including, `to`, in pieces. Throws
   * `brain.changed` unless the file has this stamp both before the first and after the last
   * piece.
   */
  pieces(file: Pick<FileFacts, "path" | "stamp">, from: number, to: number): AsyncIterable<Uint8Array>;
  /** Reads a file. Throws `brain.too-large`. */
  read(path: string, maxBytes: number): Promise<FileRead | undefined>;
  /**
   * Replaces a file and creates missing folders. `expected` is the stamp of the file to replace,
   * or `undefined` if there must be no file. Returns `undefined` if the path holds something
   * else.
   */
  replace(path: string, bytes: Uint8Array, expected: string | undefined): Promise<FileFacts | undefined>;
  /**
   * Removes a file, and its folder if that becomes empty. Returns false if the path holds
   * something else.
   */
  remove(path: string, expected: string): Promise<boolean>;
  /** Walks a folder, or the whole tree for "". */
  walk(folder: string, options: WalkOptions): Promise<WalkResult>;
}

/** Files below one root, by slash-separated path. */
export interface BrainDisk {
  /** Returns the absolute path of a path below the root, for the mounts of a cell. */
  absolute(path: string): string;
  /** Reads a file as text, or returns `undefined` if it is missing. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  /** Creates a folder. Follows no link. Throws `brain.path` if the path holds something else. */
  makeFolder(path: string): Promise<void>;
  /**
   * Makes the folder `to` hold exactly these files and folders of the folder `from`, besides a
   * `workspace`. Skips names that are missing.
   */
  copy(from: string, names: readonly string[], to: string): Promise<void>;
  /** Returns the names of the folders in the root. */
  folders(): Promise<readonly string[]>;
  /** Opens a folder of the root. */
  tree(folder: string): BrainTree;
}
