/**
 * Fills an empty folder with the files of a home. The file `restoring` marks the folder until every
 * file has been read back. No house starts in a folder with this file. It is then renamed to
 * `restored`, which holds the house at its first start.
 */
import { open, readdir, readFile, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { z } from "zod";
import { lockFile, RESTORED, RESTORING } from "../home.ts";
import type { BackupDisk } from "./backup-disk.ts";
import { type BackupFile, contentsOf, type Manifest } from "./manifest.ts";
import { chunksOf, codeOf, digestAt, undefinedIfMissing } from "./read-file.ts";

/** A file of the home, with the hash of its bytes. */
export type HomeEntry = Pick<BackupFile, "path" | "hash" | "sizeBytes">;

export interface FillOptions {
  /** Absolute path of the home, which is empty or missing. */
  readonly home: string;
  readonly disk: BackupDisk;
  readonly contents: Pick<Manifest, "files" | "folders" | "links" | "blobs">;
  /** Absolute path of the bytes of a file. */
  sourceOf(file: HomeEntry): string;
  /** The origin of the files. `number` is that of a backup. */
  readonly origin: {
    readonly from: string;
    readonly number?: number;
    readonly at: number;
    readonly house: string;
  };
  readonly what: "restore" | "import";
  /** Files that the caller generates instead of copying them. */
  readonly generated?: {
    readonly names: readonly string[];
    readonly sizeBytes: number;
    /** Resolves when the files are durable and have been read back. */
    make(): Promise<void>;
  };
}

/**
 * Fills the folder. Can be run again. Throws `home.foreign` if the folder is not empty, and
 * `home.full`.
 */
export const fillHome = async (options: FillOptions): Promise<void> => {
  const { home, disk, what } = options;
  try {
    await disk.makeFolder(join(home, "run"));
    using _ = lockHome(home);
    await removeInterrupted(home, disk);
    await requireSpace(options);
    await copy(options);
  } catch (error) {
    throw toFailure(error, home, what);
  }
};

/** Names that an empty home may have. The daemon's folder contains this process's lock. */
const INCIDENTAL: ReadonlySet<string> = new Set(["run", "lost+found"]);
const RUN_FILES: ReadonlySet<string> = new Set(["lock", "lock-journal"]);

const Mark = z.object({ names: z.array(z.string()) });

/**
 * Returns the top-level names that an interrupted restore or import has written, or undefined if
 * there was no interruption.
 */
const interruptedNames = async (home: string): Promise<readonly string[] | undefined> => {
  const text = await readFile(join(home, RESTORING), "utf8").catch(undefinedIfMissing);
  if (text === undefined) return undefined;
  try {
    return Mark.parse(JSON.parse(text)).names;
  } catch {
    // The mark itself was interrupted, so nothing was written after it.
    return [];
  }
};

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(undefinedIfMissing)) ?? [];

/** Throws `home.foreign`, except for files that an interrupted restore or import left. */
export const requireEmpty = async (home: string): Promise<void> => {
  const allowedNames = new Set([RESTORING, ...((await interruptedNames(home)) ?? [])]);
  const names = await namesIn(home);
  const foreignNames = names.filter((name) => !allowedNames.has(name) && !INCIDENTAL.has(name));
  const foreignRunFiles = (await namesIn(join(home, "run"))).filter((name) => !RUN_FILES.has(name));
  const [firstForeign] = [...foreignNames, ...foreignRunFiles.map((name) => `run/${name}`)];
  if (firstForeign === undefined) return;
  throw new HearthError("home.foreign", `${home} is not empty: it contains ${firstForeign}.`, {
    hint: "Choose a new folder with --home DIR, or move this home elsewhere first.",
  });
};

const lockHome = (home: string): Disposable => {
  try {
    return lockFile(join(home, "run/lock"));
  } catch (cause) {
    if (!codeOf(cause).startsWith("SQLITE_BUSY")) throw cause;
    throw new HearthError("home.in-use", `Another process restores or imports into ${home}.`, {
      hint: "Wait until it has ended.",
      cause,
    });
  }
};

/** Removes the files of an interrupted restore or import. */
const removeInterrupted = async (home: string, disk: BackupDisk): Promise<void> => {
  await requireEmpty(home);
  const names = await interruptedNames(home);
  if (names === undefined) return;
  for (const name of names) await disk.remove(join(home, name));
  await disk.remove(join(home, RESTORING));
};

const RESERVE_BYTES = 32 * 1024 * 1024;
const MIB = 1024 * 1024;

const requireSpace = async ({ home, contents, generated, what }: FillOptions): Promise<void> => {
  const { bavail, bsize } = await statfs(home);
  const sizes = [...contentsOf(contents).map(({ sizeBytes }) => sizeBytes), generated?.sizeBytes ?? 0, RESERVE_BYTES];
  const neededBytes = sizes.reduce((sum, sizeBytes) => sum + sizeBytes, 0);
  if (bavail * bsize >= neededBytes) return;
  const why = `${Math.ceil(neededBytes / MIB)} MiB are needed and ${Math.floor((bavail * bsize) / MIB)} are free`;
  throw homeFullError(home, what, why);
};

const homeFullError = (home: string, what: "restore" | "import", why: string, cause?: unknown): HearthError =>
  new HearthError("home.full", `The disk of ${home} has no room for this ${what}: ${why}.`, {
    hint: `Free space there, or choose a folder on another disk: --home DIR. Then run the ${what} again.`,
    cause,
  });

const toFailure = (error: unknown, home: string, what: "restore" | "import"): unknown => {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return homeFullError(home, what, "it became full", error);
  if (!/^E[A-Z]+$/.test(code)) return error;
  return new HearthError("backup.failed", `The ${what} into ${home} failed: ${String(error)}`, {
    hint: `Check that both folders can be used, then run the ${what} again.`,
    cause: error,
  });
};

const copy = async (options: FillOptions): Promise<void> => {
  const { home, disk, contents, generated, origin } = options;
  const { folders, links } = contents;
  const files = contentsOf(contents);
  const names = new Set([...files, ...folders, ...links].map(({ path }) => topOf(path)));
  const mark = { id: crypto.randomUUID(), ...origin, names: [...names, ...(generated?.names ?? [])] };
  await disk.write(join(home, RESTORING), [new TextEncoder().encode(`${JSON.stringify(mark)}\n`)]);
  await disk.syncFolder(home);
  await disk.syncFolder(dirname(home));

  const createdFolders = await makeFolders(home, disk, [
    ...folders.map(({ path }) => path),
    ...files.map(({ path }) => dirname(path)),
  ]);
  for (const file of files) await copyFile(file, options);
  for (const { path, mode, modifiedAt } of contents.files) {
    await disk.setMode(join(home, path), mode);
    await disk.setModified(join(home, path), modifiedAt);
  }
  for (const { path, target } of links) await disk.link(target, join(home, path));
  await requireCopied(options);
  await generated?.make();
  for (const folder of createdFolders) await disk.syncFolder(join(home, folder));
  // Sets the mode of a folder after those of its contents, because its owner may then be unable to write in it.
  for (const { path, mode } of folders.toReversed()) await disk.setMode(join(home, path), mode);
  await disk.syncFolder(home);
  await disk.rename(join(home, RESTORING), join(home, RESTORED));
  await disk.syncFolder(home);
};

/** Creates these folders below `root`, with their parents. Returns all of them. */
export const makeFolders = async (
  root: string,
  disk: BackupDisk,
  paths: readonly string[],
): Promise<ReadonlySet<string>> => {
  const createdFolders = new Set<string>();
  for (const path of paths)
    for (const folder of withParents(path)) {
      if (createdFolders.has(folder)) continue;
      await disk.makeFolder(join(root, folder));
      createdFolders.add(folder);
    }
  return createdFolders;
};

const topOf = (path: string): string => path.split("/")[0] ?? path;

/** Returns the folders of a path: "a/b" gives "a" and "a/b", and "." gives none. */
export const withParents = (path: string): readonly string[] =>
  path === "." ? [] : path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));

const copyFile = async (file: HomeEntry, { home, disk, sourceOf }: FillOptions): Promise<void> => {
  await using source = await open(sourceOf(file), "r");
  await disk.write(join(home, file.path), chunksOf(source));
};

const requireCopied = async ({ home, contents, what }: FillOptions): Promise<void> => {
  for (const { path, hash } of contentsOf(contents)) {
    const digest = await digestAt(join(home, path));
    if (digest?.hash === hash) continue;
    throw new HearthError("backup.damaged", `${path} cannot be read back from ${home} as it was written.`, {
      hint: `Check both disks for errors, then run the ${what} again.`,
    });
  }
};
