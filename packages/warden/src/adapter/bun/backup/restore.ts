/**
 * Restores a backup into an empty folder. The file `restoring` marks the folder until every file is
 * there and was read back; no house starts in it. It then becomes `restored`, which puts the house
 * on hold at its first start.
 */
import { open, readdir, readFile, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { z } from "zod";
import { lockFile, RESTORED, RESTORING } from "../home.ts";
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { findBackup, objectPath } from "./backup-folder.ts";
import { contentsOf, type Manifest, sizeOf } from "./manifest.ts";
import { chunksOf, codeOf, digestAt, undefinedIfMissing } from "./read-file.ts";
import { type Verified, verifyBackup } from "./verify.ts";

export interface RestoreReport {
  readonly kind: "restored";
  readonly home: string;
  readonly number: number;
  /** When the backup was made, in UTC milliseconds. */
  readonly at: number;
  readonly house: string;
  readonly files: number;
  readonly bytes: number;
  readonly remarks: readonly string[];
}

export interface RestoreOptions {
  /** Absolute path of the home, which is empty or missing. */
  readonly home: string;
  /** Absolute path of the folder of backups. */
  readonly from: string;
  /** Absent: the newest complete one. */
  readonly number?: number;
  readonly disk?: BackupDisk;
}

export type RestoreOutcome = RestoreReport | ({ readonly kind: "damaged" } & Verified);

/**
 * Nothing is written when the backup is damaged. Throws `backup.not-found`, `home.foreign` when the
 * folder is not empty, and `home.full`. An interrupted restore can be run again.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreOutcome> => {
  const { home, from, number, disk = createBackupDisk() } = options;
  await requireEmpty(home);
  const manifest = await findBackup(from, number);
  const verified = await verifyBackup(from, manifest);
  if (!verified.ok) return { kind: "damaged", ...verified };
  try {
    await disk.makeFolder(join(home, "run"));
    using _ = lockHome(home);
    await clear(home, disk);
    await requireSpace(home, manifest);
    await copy({ home, from, manifest, disk });
  } catch (error) {
    throw toFailure(error, home);
  }
  return {
    ...{ kind: "restored", home, number: manifest.number, at: manifest.at, house: manifest.house.handle },
    ...{ files: contentsOf(manifest).length, bytes: sizeOf(manifest), remarks: manifest.remarks },
  };
};

/** Names that an empty home may have. The daemon's folder contains this process's lock. */
const INCIDENTAL: ReadonlySet<string> = new Set(["run", "lost+found"]);
const RUN_FILES: ReadonlySet<string> = new Set(["lock", "lock-journal"]);

const Mark = z.object({ names: z.array(z.string()) });

/** The top-level names that an interrupted restore has written. Undefined: there was none. */
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

const requireEmpty = async (home: string): Promise<void> => {
  const known = new Set([RESTORING, ...((await interruptedNames(home)) ?? [])]);
  const names = await namesIn(home);
  const foreign = names.filter((name) => !known.has(name) && !INCIDENTAL.has(name));
  const running = (await namesIn(join(home, "run"))).filter((name) => !RUN_FILES.has(name));
  const [first] = [...foreign, ...running.map((name) => `run/${name}`)];
  if (first === undefined) return;
  throw new HearthError("home.foreign", `${home} is not empty: it contains ${first}.`, {
    hint: "Restore into a new folder, with --home DIR, or move the present home elsewhere first.",
  });
};

const lockHome = (home: string): Disposable => {
  try {
    return lockFile(join(home, "run/lock"));
  } catch (cause) {
    if (!codeOf(cause).startsWith("SQLITE_BUSY")) throw cause;
    throw new HearthError("home.in-use", `Another process restores a backup into ${home}.`, {
      hint: "Wait until it has ended.",
      cause,
    });
  }
};

/** Removes what an interrupted restore left. */
const clear = async (home: string, disk: BackupDisk): Promise<void> => {
  await requireEmpty(home);
  const names = await interruptedNames(home);
  if (names === undefined) return;
  for (const name of names) await disk.remove(join(home, name));
  await disk.remove(join(home, RESTORING));
};

const RESERVE_BYTES = 32 * 1024 * 1024;
const MIB = 1024 * 1024;

const requireSpace = async (home: string, manifest: Manifest): Promise<void> => {
  const { bavail, bsize } = await statfs(home);
  const neededBytes = sizeOf(manifest) + RESERVE_BYTES;
  if (bavail * bsize >= neededBytes) return;
  throw full(home, `${Math.ceil(neededBytes / MIB)} MiB are needed and ${Math.floor((bavail * bsize) / MIB)} are free`);
};

const full = (home: string, why: string, cause?: unknown): HearthError =>
  new HearthError("home.full", `The disk of ${home} has no room for this backup: ${why}.`, {
    hint: "Free space there, or restore into a folder on another disk. Then run the restore again.",
    cause,
  });

const toFailure = (error: unknown, home: string): unknown => {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return full(home, "it became full", error);
  if (!/^E[A-Z]+$/.test(code)) return error;
  return new HearthError("backup.failed", `The restore into ${home} failed: ${String(error)}`, {
    hint: "Check that both folders can be used, then run the restore again.",
    cause: error,
  });
};

interface Copying {
  readonly home: string;
  readonly from: string;
  readonly manifest: Manifest;
  readonly disk: BackupDisk;
}

const copy = async ({ home, from, manifest, disk }: Copying): Promise<void> => {
  const { number, at, house, folders, links } = manifest;
  const contents = contentsOf(manifest);
  const names = new Set([...contents, ...folders, ...links].map(({ path }) => topOf(path)));
  const mark = { id: crypto.randomUUID(), from, number, at, house: house.handle, names: [...names] };
  await disk.write(join(home, RESTORING), [new TextEncoder().encode(`${JSON.stringify(mark)}\n`)]);
  await disk.syncFolder(home);
  await disk.syncFolder(dirname(home));

  const made = new Set<string>();
  for (const path of [...folders.map((folder) => folder.path), ...contents.map((file) => dirname(file.path))])
    for (const folder of withParents(path)) {
      if (made.has(folder)) continue;
      await disk.makeFolder(join(home, folder));
      made.add(folder);
    }
  for (const file of contents) await copyFile(file, { home, from, disk });
  for (const { path, mode, modifiedAt } of manifest.files) {
    await disk.setMode(join(home, path), mode);
    await disk.setModified(join(home, path), modifiedAt);
  }
  for (const { path, target } of links) await disk.link(target, join(home, path));
  await requireCopied(home, manifest);
  for (const folder of made) await disk.syncFolder(join(home, folder));
  // A folder that its owner cannot write comes last, and its contents before it.
  for (const { path, mode } of folders.toReversed()) await disk.setMode(join(home, path), mode);
  await disk.syncFolder(home);
  await disk.rename(join(home, RESTORING), join(home, RESTORED));
  await disk.syncFolder(home);
};

const topOf = (path: string): string => path.split("/")[0] ?? path;

/** "a/b" gives "a" and "a/b". "." gives nothing. */
const withParents = (path: string): readonly string[] =>
  path === "." ? [] : path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));

const copyFile = async (
  { path, hash }: { readonly path: string; readonly hash: string },
  { home, from, disk }: Omit<Copying, "manifest">,
): Promise<void> => {
  await using source = await open(objectPath(from, hash), "r");
  await disk.write(join(home, path), chunksOf(source));
};

const requireCopied = async (home: string, manifest: Manifest): Promise<void> => {
  for (const { path, hash } of contentsOf(manifest)) {
    const digest = await digestAt(join(home, path));
    if (digest?.hash === hash) continue;
    throw new HearthError("backup.damaged", `${path} cannot be read back from ${home} as it is in the backup.`, {
      hint: "Check both disks for errors, then run the restore again.",
    });
  }
};
