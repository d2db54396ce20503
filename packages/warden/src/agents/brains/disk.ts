/** Where brains lie: folders of files below one root. An adapter gives the real ones. */

/** A regular file as the disk has it. */
export interface FileFacts {
  readonly path: string;
  readonly sizeBytes: number;
  /** Another one whenever the file may be another: replaced, written to, swapped for one that looks the same. */
  readonly stamp: string;
}

export interface FileRead extends FileFacts {
  readonly bytes: Uint8Array;
}

export interface WalkOptions {
  /** Whether a file or folder of this name is left out, with all that is below it. */
  readonly skips: (name: string, path: string) => boolean;
  readonly maxFiles: number;
}

export interface Walked {
  /** By path, in the order of code units. */
  readonly files: readonly FileFacts[];
  /** Links, which nobody follows. `stamp`: another one whenever it may lead elsewhere. */
  readonly links: readonly Pick<FileFacts, "path" | "stamp">[];
  /** What is there and is no file of a brain: a link, a pipe, a name that is no path. */
  readonly notes: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Contract, checked by `brainDiskConformance`. All paths are relative to the tree and plain: see `path.ts`.
 * - a link on the way or at the end, a folder or a pipe at the end: `brain.path`; nothing waits for a pipe. What is not there is `undefined`
 * - no race with whoever else changes the tree makes a call reach beyond it
 * - what is read was the whole file at one time; one that never holds still is `brain.changed`
 * - a file is replaced whole or not at all, and is on the disk when that resolves; one that is not as `expected` any more is left alone
 */
export interface BrainTree {
  look(path: string): Promise<FileFacts | undefined>;
  /** Names right in a folder, in the order of code units; none where there is no such folder, or a link on the way. One look while nothing was added or taken away. */
  names(folder: string): Promise<readonly string[]>;
  /** Throws `brain.too-large`. */
  read(path: string, maxBytes: number): Promise<FileRead | undefined>;
  /** Makes the folders that it needs. `expected`: the stamp of what it replaces, `undefined` for nothing. `undefined`: something else stood there. */
  replace(path: string, bytes: Uint8Array, expected: string | undefined): Promise<FileFacts | undefined>;
  /** False: something else stood there. A folder that is empty then goes too. */
  remove(path: string, expected: string): Promise<boolean>;
  /** Below a folder, or the whole tree for "". */
  walk(folder: string, options: WalkOptions): Promise<Walked>;
}

/** Files below one root, by slash-separated path. */
export interface BrainDisk {
  /** Absolute path of a place below the root, for those who must hand it to a cell. */
  absolute(path: string): string;
  /** `undefined` when there is no such file. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  /** Follows no link: throws `brain.path` where something else stands on the way. */
  makeFolder(path: string): Promise<void>;
  /**
   * Makes a folder hold these files and folders of another one and nothing else but a `workspace`. Those that are not there are left out.
   */
  copy(from: string, names: readonly string[], to: string): Promise<void>;
  /** Names of the folders right below the root. */
  folders(): Promise<readonly string[]>;
  /** What lies in a folder right below the root. */
  tree(folder: string): BrainTree;
}
