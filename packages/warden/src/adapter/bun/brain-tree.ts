/**
 * A brain's files on disk. Each step of a path opens one name inside an open folder and follows no
 * link, so the checked file is the used file, even if another process swaps parts of the path
 * meanwhile.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Durability, HearthError, isHearthError } from "@hearth/protocol";
import type {
  BrainTree,
  FileFacts,
  FileRead,
  FolderEntry,
  Listing,
  WalkResult,
  WalkOptions,
} from "../../agents/brains/disk.ts";
import { invalidPathReason } from "../../agents/brains/path.ts";

const FOLDER_ONLY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** Number of attempts to read a file that changes while it is read. */
const MAX_READ_ATTEMPTS = 5;
const MAX_DEPTH = 60;
/** Number of entries of a walk between two pauses for other work. */
const ENTRIES_PER_TURN = 500;
/** Number of entries of any kind that a walk visits, for each file that it may return. */
const ENTRIES_PER_FILE = 4;
const DRAFT = ".draft-";
/** Size of the pieces that a reader holds. */
const PIECE_BYTES = 256 * 1024;
/** Maximum number of paths in the cache. */
const MAX_CACHED_PATHS = 5000;
/** The resolution of the disk's clock. */
const TICK_MS = 50;

/**
 * Whether names can be opened inside an open folder, like `openat`. On other systems each step is
 * checked before and after.
 */
const CAN_OPEN_IN_FOLDER = process.platform === "linux" && existsSync("/proc/self/fd");

interface Folder extends Disposable {
  readonly at: string;
}

/** Runs `use` in the folder of the file. Returns undefined if a part of the path is missing. */
type RunInFolder = <Result>(
  path: string,
  use: (folder: Folder, name: string) => Result | Promise<Result>,
) => Promise<Result | undefined>;

interface BrainTreeOptions {
  readonly durability?: Durability;
  /** Lets other work run, like `Clock.turn`. Tests count these pauses. */
  readonly turn?: () => Promise<void>;
}

export const createBunBrainTree = (
  root: string,
  { durability = "power", turn = () => Bun.sleep(0) }: BrainTreeOptions = {},
): BrainTree => {
  /** Runs `use` in the folder of the file. With "create", missing folders are created. */
  const runInFolder = async <Result>(
    path: string,
    use: (folder: Folder, name: string) => Result | Promise<Result>,
    missingPaths?: "create",
  ): Promise<Result | undefined> => {
    const why = invalidPathReason(path);
    if (why !== undefined) throw refusedError(path, why);
    const openFolders: Folder[] = [];
    try {
      let folder = openFolder(root);
      openFolders.push(folder);
      for (const name of path.split("/").slice(0, -1)) {
        if (missingPaths === "create") ensureFolder(`${folder.at}/${name}`);
        folder = openFolder(`${folder.at}/${name}`);
        openFolders.push(folder);
      }
      return await use(folder, basename(path));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw toRefusal(path, error);
    } finally {
      for (const folder of openFolders) folder[Symbol.dispose]();
    }
  };

  const readFacts = (folder: Folder, name: string, path: string): FileFacts | undefined => {
    const stats = lstatSync(`${folder.at}/${name}`, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    requireFile(path, stats);
    return factsOf(path, stats);
  };

  const readOnce = async (at: string, path: string, maxBytes: number): Promise<FileRead | undefined> => {
    requireFile(path, lstatSync(at, { bigint: true }));
    await using file = await open(at, READ);
    const before = await file.stat({ bigint: true });
    requireFile(path, before);
    if (before.size > BigInt(maxBytes)) throw tooLargeError(path, before.size, maxBytes);
    const bytes = new Uint8Array(await file.readFile());
    const facts = factsOf(path, await file.stat({ bigint: true }));
    return facts.stamp === factsOf(path, before).stamp && facts.sizeBytes === bytes.length
      ? { ...facts, bytes }
      : undefined;
  };

  /** The result of the last safe lookup of each path. */
  const cachedFacts = new Map<string, CachedFacts>();
  /** Paths that had no file at the last safe lookup, with the stats that the folder had then, if it existed. */
  const missingPaths = new Map<string, BigIntStats | undefined>();
  const cachedListings = new Map<string, { readonly stamp: string; readonly names: readonly string[] }>();

  const statPath = (path: string): BigIntStats | undefined => statUnchecked(`${root}/${path}`);

  const stat = async (path: string): Promise<FileFacts | undefined> => {
    const cached = cachedFacts.get(path);
    const stats = statPath(path);
    if (cached !== undefined && stats !== undefined && isSame(cached.stats, stats)) return cached.facts;
    const parentStats = stats === undefined ? statPath(dirname(path)) : undefined;
    if (stats === undefined && missingPaths.has(path) && isSameFolder(missingPaths.get(path), parentStats))
      return undefined;
    const facts = await runInFolder(path, (folder, name) => readFacts(folder, name, path));
    if (cachedFacts.size >= MAX_CACHED_PATHS) cachedFacts.clear();
    if (missingPaths.size >= MAX_CACHED_PATHS) missingPaths.clear();
    if (facts === undefined || stats === undefined || facts.stamp !== stampOf(stats)) cachedFacts.delete(path);
    else cachedFacts.set(path, { facts, stats });
    if (facts === undefined && stats === undefined) missingPaths.set(path, parentStats);
    else missingPaths.delete(path);
    return facts;
  };

  const listFolder = async (path: string): Promise<readonly string[]> => {
    const stats = statPath(path);
    if (stats === undefined || !stats.isDirectory()) return [];
    const stamp = stampOf(stats);
    const cached = cachedListings.get(path);
    if (cached?.stamp === stamp) return cached.names;
    // Opens the folder itself, so that a link in its place is not followed.
    const names = await runInFolder(path, (folder, name) => {
      using subfolder = openFolder(`${folder.at}/${name}`);
      return readdirSync(subfolder.at).sort();
    });
    // Another change in the same tick of the disk's clock would go unnoticed.
    if (names !== undefined && Date.now() - Number(stats.ctimeMs) > TICK_MS) cachedListings.set(path, { stamp, names });
    return names ?? [];
  };

  return {
    stat,
    async names(folder) {
      try {
        return await listFolder(folder);
      } catch (error) {
        if (isHearthError(error, "brain.path")) return [];
        throw error;
      }
    },
    entries: (path, maxEntries) =>
      runInFolder(path, (folder, name) => entriesIn(`${folder.at}/${name}`, path, maxEntries, turn)),
    pieces: (file, from, to) => piecesOf(runInFolder, file, from, to),
    read: (path, maxBytes) =>
      runInFolder(path, async (folder, name) => {
        for (let count = 0; count < MAX_READ_ATTEMPTS; count += 1) {
          const read = await readOnce(`${folder.at}/${name}`, path, maxBytes);
          if (read !== undefined) return read;
        }
        throw new HearthError("brain.changed", `${path} changes faster than it can be read.`, {
          hint: "Try again when the program that writes it has finished.",
        });
      }),
    replace: (path, bytes, expected) =>
      runInFolder(
        path,
        async (folder, name) => {
          const draft = `${folder.at}/${DRAFT}${crypto.randomUUID()}`;
          const before = readFacts(folder, name, path);
          if (before?.stamp !== expected) return undefined;
          try {
            {
              await using file = await open(draft, CREATE, 0o600);
              await file.writeFile(bytes);
              if (durability === "power") await file.sync();
            }
            if (readFacts(folder, name, path)?.stamp !== expected) {
              unlinkSync(draft);
              return undefined;
            }
            renameSync(draft, `${folder.at}/${name}`);
          } catch (error) {
            if (existsSync(draft)) unlinkSync(draft);
            throw error;
          }
          return readFacts(folder, name, path);
        },
        "create",
      ),
    async remove(path, expected) {
      const isGone = await runInFolder(path, (folder, name) => {
        if (readFacts(folder, name, path)?.stamp !== expected) return false;
        unlinkSync(`${folder.at}/${name}`);
        return true;
      });
      if (isGone === true) await dropEmpty(runInFolder, dirname(path));
      return isGone === true;
    },
    walk: (start, options) => walkFrom(root, start, { ...options, turn }),
  };
};

/** Removes folders that have become empty. */
const dropEmpty = async (runInFolder: RunInFolder, path: string): Promise<void> => {
  if (path === "." || path === "workspace") return;
  const isGone = await runInFolder(path, (folder, name) => {
    try {
      rmdirSync(`${folder.at}/${name}`);
      return true;
    } catch {
      return false;
    }
  });
  if (isGone === true) await dropEmpty(runInFolder, dirname(path));
};

/** Lists the entries of a folder. */
const entriesIn = async (
  at: string,
  parentPath: string,
  maxEntries: number,
  turn: () => Promise<void>,
): Promise<Listing> => {
  using folder = openFolder(at);
  const names = (await readdir(folder.at)).filter((name) => !name.startsWith(DRAFT)).slice(0, maxEntries + 1);
  const entries: FolderEntry[] = [];
  for (const [index, name] of names.slice(0, maxEntries).sort().entries()) {
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await turn();
    const stats = lstatSync(`${folder.at}/${name}`, { bigint: true, throwIfNoEntry: false });
    const path = `${parentPath}/${name}`;
    const encodingProblem = name.includes("\u{FFFD}") ? "has a name that is not valid UTF-8" : undefined;
    const why =
      encodingProblem ??
      invalidPathReason(path) ??
      (stats === undefined ? undefined : whyLeftOut(stats, depthOf(path)));
    const changedAt = stats === undefined ? 0 : Number(stats.mtimeMs);
    if (why !== undefined) entries.push({ name, kind: "other", changedAt, why });
    // An entry without stats was removed meanwhile.
    else if (stats?.isDirectory() === true) entries.push({ name, kind: "folder", changedAt });
    else if (stats !== undefined) entries.push({ name, kind: "file", changedAt, sizeBytes: Number(stats.size) });
  }
  return { entries, isComplete: names.length <= maxEntries };
};

const depthOf = (path: string): number => path.split("/").length - 1;

/** Opens the file for the first piece and closes it after the last one, or when the reader stops. */
async function* piecesOf(
  runInFolder: RunInFolder,
  { path, stamp }: Pick<FileFacts, "path" | "stamp">,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  await using file = await runInFolder(path, (folder, name) => {
    requireFile(path, lstatSync(`${folder.at}/${name}`, { bigint: true }));
    return open(`${folder.at}/${name}`, READ);
  });
  const requireSame = async (): Promise<FileHandle> => {
    if (file === undefined) throw changedError(path);
    const stats = await file.stat({ bigint: true });
    requireFile(path, stats);
    if (stampOf(stats) !== stamp) throw changedError(path);
    return file;
  };
  for (let position = from; position < to;) {
    const handle = await requireSame();
    const piece = new Uint8Array(Math.min(PIECE_BYTES, to - position));
    const { bytesRead } = await handle.read(piece, 0, piece.length, position);
    if (bytesRead === 0) throw changedError(path);
    await requireSame();
    yield piece.subarray(0, bytesRead);
    position += bytesRead;
  }
}

const changedError = (path: string): HearthError =>
  new HearthError("brain.changed", `${path} changed while it was read.`, {
    hint: "Try again when the program that writes it has finished.",
  });

/** Walks the files below a folder of the root. Yields with `turn`, so that a large tree blocks nothing else. */
const walkFrom = async (
  root: string,
  start: string,
  { skips, maxFiles, turn }: WalkOptions & { readonly turn: () => Promise<void> },
): Promise<WalkResult> => {
  const files: FileFacts[] = [];
  const links: WalkResult["links"][number][] = [];
  const notes: WalkResult["notes"][number][] = [];
  let visitedCount = 0;
  let isComplete = true;
  const maxEntries = ENTRIES_PER_FILE * maxFiles;
  const stopAt = (path: string, limit: string): void => {
    isComplete = false;
    notes.push({ path, why: `there are more than ${limit}` });
  };
  /** Reads without blocking, and sorts only as many names as the walk may take. */
  const namesIn = async (folder: Folder): Promise<readonly string[]> =>
    (await readdir(folder.at)).slice(0, maxEntries + 1).sort();
  const walk = async (folder: Folder, parentPath: string, depth: number): Promise<void> => {
    for (const name of await namesIn(folder)) {
      if (!isComplete) return;
      const path = parentPath === "" ? name : `${parentPath}/${name}`;
      if ((visitedCount += 1) % ENTRIES_PER_TURN === 0) await turn();
      if (visitedCount > maxEntries) return stopAt(path, `${maxEntries} entries`);
      if (name.startsWith(DRAFT) || skips(name, path)) continue;
      const stats = lstatSync(`${folder.at}/${name}`, { bigint: true, throwIfNoEntry: false });
      const why = stats === undefined ? undefined : (invalidPathReason(path) ?? whyLeftOut(stats, depth));
      if (stats?.isSymbolicLink() === true) links.push({ path, stamp: stampOf(stats) });
      if (stats === undefined || why !== undefined) {
        if (why !== undefined || name.includes("\u{FFFD}"))
          notes.push({ path, why: why ?? "has a name that is not valid UTF-8" });
      } else if (stats.isDirectory()) await descend(folder, name, path, depth);
      else if (files.length >= maxFiles) return stopAt(path, `${maxFiles} files`);
      else files.push(factsOf(path, stats));
    }
  };
  const descend = async (folder: Folder, name: string, path: string, depth: number): Promise<void> => {
    try {
      using subfolder = openFolder(`${folder.at}/${name}`);
      await walk(subfolder, path, depth + 1);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") notes.push({ path, why: `cannot be read (${codeOf(error)})` });
    }
  };
  try {
    using rootFolder = openFolder(root);
    if (start === "") await walk(rootFolder, "", 0);
    else await descend(rootFolder, start, start, 0);
  } catch (error) {
    throw toRefusal(start, error);
  }
  return { files, links, notes, isComplete };
};

const openFolder = (at: string): Folder => {
  if (!CAN_OPEN_IN_FOLDER) return enterChecked(at);
  const fd = openSync(at, FOLDER_ONLY);
  return { at: `/proc/self/fd/${fd}`, [Symbol.dispose]: () => closeSync(fd) };
};

const enterChecked = (at: string): Folder => {
  const expected = join(realpathSync(dirname(at)), basename(at));
  if (!lstatSync(at).isDirectory() || realpathSync(at) !== expected)
    throw Object.assign(new Error(`${at} is a link, not a folder`), { code: "ENOTDIR" });
  return { at, [Symbol.dispose]: () => undefined };
};

const ensureFolder = (at: string): void => {
  try {
    mkdirSync(at, 0o700);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
};

const factsOf = (path: string, stats: BigIntStats): FileFacts => ({
  path,
  sizeBytes: Number(stats.size),
  stamp: stampOf(stats),
  changedAt: Number(stats.mtimeMs),
});

/**
 * Reads the stats by the whole path, which another process can redirect by swapping a folder.
 * Callers use the result only to detect that nothing changed.
 */
const statUnchecked = (path: string): BigIntStats | undefined => {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

interface CachedFacts {
  readonly facts: FileFacts;
  readonly stats: BigIntStats;
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

/** Whether no entry of the folder was added, removed or replaced. The result is undefined if there is no folder. */
const isSameFolder = (a: BigIntStats | undefined, b: BigIntStats | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isSame(a, b);

const stampOf = (stats: BigIntStats): string => `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;

const requireFile = (path: string, stats: BigIntStats): void => {
  const why = stats.isDirectory() ? "is a folder" : whyLeftOut(stats, 0);
  if (why !== undefined) throw refusedError(path, why);
};

const whyLeftOut = (stats: BigIntStats, depth: number): string | undefined => {
  if (stats.isSymbolicLink()) return "is a link, which is not followed";
  if (stats.isDirectory()) return depth >= MAX_DEPTH ? "lies too deep" : undefined;
  return stats.isFile() ? undefined : "is not a regular file";
};

const refusedError = (path: string, why: string): HearthError =>
  new HearthError("brain.path", `${JSON.stringify(path.slice(0, 120))} ${why}.`, {
    hint: "Give the path of a regular file in the brain.",
  });

const tooLargeError = (path: string, size: bigint, maxBytes: number): HearthError =>
  new HearthError("brain.too-large", `${path} has ${size} bytes; the limit is ${maxBytes} bytes.`);

/** Errors for impossible paths become a refusal. Any other error is a failure of the disk. */
const toRefusal = (path: string, error: unknown): unknown => {
  if (isHearthError(error)) return error;
  const code = codeOf(error);
  if (code === "ELOOP" || code === "ENOTDIR") return refusedError(path, "goes through a link or a file");
  if (code === "EISDIR" || code === "ENAMETOOLONG") return refusedError(path, "cannot be a file in the brain");
  return new HearthError("store.unavailable", `The brain's file ${path} cannot be used (${code}).`, {
    hint: "Check that the disk has space left and that brains/ in the home folder can be read and written.",
    cause: error,
  });
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
