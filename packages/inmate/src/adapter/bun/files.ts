/**
 * `Files` on a disk. Opens a path one name at a time, from the root. It never opens a whole path of
 * a model at once.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { HearthError, isHearthError } from "@hearth/protocol";
import {
  compareNames,
  type Entry,
  fileErrors,
  type Files,
  type FoundFile,
  type WalkOptions,
} from "../../tools/files.ts";
import { parseFilePath, parseFolderPath, quotePath } from "../../tools/path.ts";
import { createFolders, type Folder, type Folders } from "./folders.ts";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const ENTRIES_PER_TURN = 500;
const READ_ONLY = 0o444;
/** Length of the beginning by which the name of a file of a message is known: 16 digits and a dash. */
const INBOX_PREFIX_LENGTH = 17;

const sync = promisify(fdatasync);

/** Creates the files. `root` must be a folder, and not a link to one. */
export const createBunFiles = (root: string, folders: Folders = createFolders(root)): Files => {
  /** Calls `use` with the folder at the path of names, and closes all folders afterwards. */
  const withFolder = async <T>(
    path: string,
    names: readonly string[],
    use: (folder: Folder) => T | Promise<T>,
    missing?: "create",
  ): Promise<T> => {
    const openFolders: Folder[] = [];
    try {
      let folder = folders.root();
      openFolders.push(folder);
      for (const name of names) {
        folder = enter(folder, name, missing);
        openFolders.push(folder);
      }
      return await use(folder);
    } catch (error) {
      throw toFileError(path, error);
    } finally {
      for (const folder of openFolders) folder[Symbol.dispose]();
    }
  };

  const enter = (folder: Folder, name: string, missing?: "create"): Folder => {
    const accessPath = `${folder.accessPath}/${name}`;
    if (missing === "create") createFolder(accessPath);
    // Only improves the error message: opening a link fails with ENOTDIR, which would be misleading.
    if (lstatSync(accessPath).isSymbolicLink()) throw Object.assign(new Error("a link"), { code: "ELOOP" });
    return folders.child(folder, name);
  };

  return {
    async read(path, maxBytes) {
      const { parents, name } = split(parseFilePath(path));
      return withFolder(path, parents, (folder) => readFile(path, `${folder.accessPath}/${name}`, maxBytes));
    },
    async write(path, bytes, mode) {
      const { parents, name } = split(parseFilePath(path));
      return withFolder(
        path,
        parents,
        (folder) => replaceFile(path, folder, name, bytes, mode === "read-only" ? READ_ONLY : 0o644),
        "create",
      );
    },
    async remove(path) {
      const { parents, name } = split(parseFilePath(path));
      return withFolder(path, parents, (folder) => {
        checkFile(path, lstatSync(`${folder.accessPath}/${name}`));
        unlinkSync(`${folder.accessPath}/${name}`);
      });
    },
    async stat(path) {
      const { parents, name } = split(parseFolderPath(path));
      return withFolder(path, parents, (folder) => {
        const entry = toEntry(name, lstatSync(`${folder.accessPath}/${name}`));
        if (entry.kind === "link") throw fileErrors.link(path);
        return entry;
      });
    },
    async list(path, limit) {
      return withFolder(path, parseFolderPath(path), (folder) => {
        const names = sortedNames(folder);
        return { entries: names.slice(0, limit).flatMap((name) => entryIn(folder, name) ?? []), total: names.length };
      });
    },
    async walk(path, options) {
      const names = parseFolderPath(path);
      return withFolder(path, names, (folder) => walkFolder(folders, folder, names, options));
    },
  };
};

/** Splits a path into its folders and its last name. The root has the name `.`. */
const split = (names: readonly string[]): { parents: readonly string[]; name: string } => ({
  parents: names.slice(0, -1),
  name: names.at(-1) ?? ".",
});

const readFile = (path: string, accessPath: string, maxBytes: number): Uint8Array => {
  // Checks before it opens the file, because opening a device can have effects. The check after the
  // open decides.
  checkFile(path, lstatSync(accessPath));
  const fd = openSync(accessPath, READ);
  try {
    const stats = fstatSync(fd);
    checkFile(path, stats);
    if (stats.size > maxBytes) throw fileErrors.tooLarge(path, stats.size, maxBytes);
    // The buffer has one byte more than the file, to detect growth.
    const bytes = new Uint8Array(stats.size + 1);
    let length = 0;
    for (;;) {
      const count = readSync(fd, bytes, length, bytes.length - length, null);
      length += count;
      if (count === 0 || length === bytes.length) break;
    }
    return bytes.subarray(0, Math.min(length, stats.size));
  } finally {
    closeSync(fd);
  }
};

const checkFile = (path: string, stats: Stats): void => {
  if (stats.isSymbolicLink()) throw fileErrors.link(path);
  if (stats.isDirectory()) throw fileErrors.folder(path);
  if (!stats.isFile()) throw fileErrors.notFile(path);
  if (stats.nlink > 1) throw fileErrors.hardLink(path);
};

const replaceFile = async (
  path: string,
  folder: Folder,
  name: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  newMode: number,
): Promise<{ created: boolean }> => {
  const accessPath = `${folder.accessPath}/${name}`;
  const existingStats = statIfPresent(accessPath);
  if (existingStats !== undefined) checkFile(path, existingStats);
  const draft = `.draft-${crypto.randomUUID()}`;
  // A draft of a file of a message, which may be large, is removed with such files after a crash.
  const draftName = newMode === READ_ONLY ? `${name.slice(0, INBOX_PREFIX_LENGTH)}${draft}` : draft;
  const temporaryPath = `${folder.accessPath}/${draftName}`;
  const fd = openSync(temporaryPath, CREATE, newMode);
  try {
    try {
      // Keeps the mode without the setuid, setgid and sticky bits.
      if (existingStats !== undefined) fchmodSync(fd, existingStats.mode & 0o777);
      if (bytes instanceof Uint8Array) writeAll(fd, bytes);
      else for await (const piece of bytes) writeAll(fd, piece);
      await sync(fd);
    } finally {
      closeSync(fd);
    }
    // Replaces a link that was created in the meantime, and does not follow it.
    renameSync(temporaryPath, accessPath);
  } catch (error) {
    unlinkSync(temporaryPath);
    throw error;
  }
  return { created: existingStats === undefined };
};

const writeAll = (fd: number, bytes: Uint8Array): void => {
  for (let length = 0; length < bytes.length;) length += writeSync(fd, bytes, length);
};

const createFolder = (accessPath: string): void => {
  try {
    mkdirSync(accessPath, 0o755);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
};

const statIfPresent = (accessPath: string): Stats | undefined => lstatSync(accessPath, { throwIfNoEntry: false });

const sortedNames = (folder: Folder): string[] => readdirSync(folder.accessPath).sort(compareNames);

/** Returns an entry, or undefined if it was deleted after its name was read. */
const entryIn = (folder: Folder, name: string): Entry | undefined => {
  const stats = statIfPresent(`${folder.accessPath}/${name}`);
  return stats === undefined ? undefined : toEntry(name, stats);
};

const toEntry = (name: string, stats: Stats): Entry => ({
  name,
  kind: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other",
  sizeBytes: stats.isFile() ? stats.size : 0,
  modifiedAt: Math.floor(stats.mtimeMs),
});

const walkFolder = async (
  folders: Folders,
  start: Folder,
  names: readonly string[],
  options: WalkOptions,
): Promise<{ files: FoundFile[]; complete: boolean }> => {
  const files: FoundFile[] = [];
  let visitedCount = 0;
  let isComplete = true;
  const walk = async (folder: Folder, parentNames: readonly string[], depth: number): Promise<void> => {
    for (const name of sortedNames(folder)) {
      if (visitedCount >= options.maxEntries || options.signal.aborted) {
        isComplete = false;
        return;
      }
      visitedCount += 1;
      if (visitedCount % ENTRIES_PER_TURN === 0) await Bun.sleep(0);
      const entry = entryIn(folder, name);
      if (entry?.kind === "file") {
        files.push({
          path: [...parentNames, name].join("/"),
          sizeBytes: entry.sizeBytes,
          modifiedAt: entry.modifiedAt,
        });
      } else if (entry?.kind === "folder" && !options.skip.has(name)) {
        if (depth >= options.maxDepth) isComplete = false;
        else await descend(folder, name, parentNames, depth);
      }
    }
  };
  const descend = async (
    folder: Folder,
    name: string,
    parentNames: readonly string[],
    depth: number,
  ): Promise<void> => {
    let subfolder: Folder;
    try {
      subfolder = folders.child(folder, name);
    } catch {
      // The folder was deleted or replaced, or is not readable. The walk skips it and is marked incomplete.
      isComplete = false;
      return;
    }
    try {
      await walk(subfolder, [...parentNames, name], depth + 1);
    } finally {
      subfolder[Symbol.dispose]();
    }
  };
  await walk(start, names, 0);
  return { files, complete: isComplete };
};

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
};

/** Replaces system errors, whose messages contain host paths, by errors for the model. */
const toFileError = (path: string, error: unknown): unknown => {
  if (isHearthError(error)) return error;
  const code = codeOf(error);
  if (code === "ENOENT") return fileErrors.missing(path);
  if (code === "ELOOP") return fileErrors.link(path);
  if (code === "ENOTDIR") return fileErrors.notFolder(path);
  if (code === "EISDIR") return fileErrors.folder(path);
  if (code === "ENAMETOOLONG") return new HearthError("tool.path", `${quotePath(path)} is too long for this disk.`);
  const why = REASONS[code];
  return why === undefined ? error : new HearthError("tool.failed", `${quotePath(path)}: ${why}.`, { cause: error });
};

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "the file system does not allow it",
  EPERM: "the file system does not allow it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open",
  EIO: "the disk failed",
};
