/**
 * Reads the files that an agent made in its workspace, for people and for the `attach` tool. Paths
 * are relative to the workspace of the private audience, which contains those of rooms.
 */
import { HearthError, type WorkspaceFolder } from "@hearth/protocol";
import type { BrainTree, FileFacts } from "./disk.ts";
import { WORKSPACE } from "./path.ts";
import type { WorkspaceHit } from "./workspace-search.ts";

export interface WorkspaceFile extends Omit<FileFacts, "path"> {
  /** Path relative to the workspace. */
  readonly path: string;
  /** Reads the bytes from `from` up to, not including, `to`. Throws `brain.changed`. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface CollectedFiles {
  readonly files: readonly WorkspaceFile[];
  /** The paths that could not be read, with reasons. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Contract: a path that leads through a link, to a folder above the workspace, or to something
 * other than a file or a folder throws `brain.path`. A missing path throws `brain.not-found`.
 */
export interface WorkspaceFiles {
  /** Lists a folder; "" is the workspace. */
  list(folder: string): Promise<WorkspaceFolder>;
  open(path: string): Promise<WorkspaceFile>;
  /**
   * Returns every file below a folder, by path. Throws `brain.too-large` for too many files or
   * bytes.
   */
  collect(folder: string): Promise<CollectedFiles>;
  /** Returns the files in which every word of the query occurs, in the path or in the text. */
  search(query: string, limit: number): Promise<readonly WorkspaceHit[]>;
}

/** Maximum number of entries in one list. */
const MAX_ENTRIES = 2000;
/** Maximum number of files in one archive. */
const MAX_FILES = 20_000;
/** Maximum size of the files in one archive. A sparse file may claim any size. */
const MAX_ARCHIVE_BYTES = 10 * 1024 ** 3;

export const createWorkspaceFiles = (tree: Pick<BrainTree, "stat" | "entries" | "pieces" | "walk">): WorkspaceFiles => {
  const toFile = (facts: FileFacts): WorkspaceFile => ({
    ...facts,
    path: facts.path.slice(WORKSPACE.length + 1),
    read: (from, to) => tree.pieces(facts, from, to),
  });
  const requireFolder = async (folder: string, maxEntries: number) => {
    const listing = await tree.entries(inBrain(folder), maxEntries);
    if (listing === undefined) throw fileNotFoundError(folder);
    return listing;
  };
  return {
    async search(query, limit) {
      const { searchWorkspace } = await import("./workspace-search.ts");
      return searchWorkspace(tree, query, limit);
    },
    async list(folder) {
      const { entries, isComplete } = await requireFolder(folder, MAX_ENTRIES);
      return { entries: [...entries], isComplete };
    },
    async open(path) {
      const facts = await tree.stat(inBrain(path));
      if (facts === undefined) throw fileNotFoundError(path);
      return toFile(facts);
    },
    async collect(folder) {
      // The walk of a missing folder finds no files, so the folder is checked first.
      await requireFolder(folder, 0);
      const { files, notes, isComplete } = await tree.walk(inBrain(folder), {
        skips: () => false,
        maxFiles: MAX_FILES,
      });
      if (!isComplete)
        throw new HearthError("brain.too-large", `The folder has more than ${MAX_FILES} files.`, {
          hint: "Download its folders one by one.",
        });
      if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_ARCHIVE_BYTES)
        throw new HearthError("brain.too-large", "The files of the folder have more than 10 GiB in total.", {
          hint: "Download its folders or its files one by one.",
        });
      const leftOut = notes.map(({ path, why }) => ({ path: path.slice(WORKSPACE.length + 1), why }));
      return { files: files.map(toFile), leftOut };
    },
  };
};

const inBrain = (path: string): string => (path === "" ? WORKSPACE : `${WORKSPACE}/${path}`);

const fileNotFoundError = (path: string): HearthError =>
  new HearthError("brain.not-found", `The workspace has no ${JSON.stringify(path.slice(0, 120))}.`, {
    hint: "List its files: hearth files list AGENT",
  });
