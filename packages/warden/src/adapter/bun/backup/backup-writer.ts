/** Writes backups into a folder, one process at a time. */
import type { Database } from "bun:sqlite";
import { type FileHandle, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { lockFile } from "../home.ts";
import type { BackupDisk, Chunks, Digest } from "./backup-disk.ts";
import { listBackups, listObjects, manifestPath, objectPath, objectsPath } from "./backup-folder.ts";
import { contentsOf, type Manifest, sealManifest } from "./manifest.ts";
import { faultOf } from "./object-fault.ts";
import { chunksOf, codeOf, digestAt, digestOf } from "./read-file.ts";

/** The interface by which a home is copied. */
export interface ObjectWriter {
  readonly folder: string;
  /** The number of the next backup. */
  readonly number: number;
  has(hash: string): boolean;
  /** Whether the object is stored with these bytes. */
  isIntact(hash: string, sizeBytes: number): Promise<boolean>;
  /** Adds the file, unless the folder has the same bytes. */
  addFile(file: FileHandle): Promise<Digest>;
  add(chunks: Chunks): Promise<Digest>;
  /** Adds the whole database as one consistent file. */
  addDatabase(database: Pick<SqlDatabase, "run">): Promise<Digest>;
  /** Removes an object whose bytes are damaged. */
  drop(hash: string): Promise<void>;
}

export interface BackupWriter extends ObjectWriter, Disposable {
  /** Files and bytes that were added, because the folder did not have them. */
  readonly added: { readonly files: number; readonly bytes: number };
  /** Makes the backup exist. Its files must have been read back. The backup is durable when it resolves. */
  seal(manifest: Manifest): Promise<void>;
  /**
   * Removes the oldest complete backups of the house so that `keep` of them are left, and the
   * objects that no backup names. Returns the removed numbers.
   */
  prune(house: string, keep: number): Promise<readonly number[]>;
  /** Removes the objects that no backup names. Keeps all of them while a manifest is unreadable. */
  removeUnnamed(): Promise<void>;
}

/** Whether any folder may have this name. */
const isIncidental = (name: string): boolean => name.startsWith(".") || name === "lost+found";
const OWN_NAMES = /^(objects|drafts|lock(-journal)?|backup-\d+\.json)$/;

/**
 * Creates the folder if it is missing, and removes what an interrupted backup left. Throws
 * `backup.foreign` for a folder with other files, and `backup.busy` while another process writes a
 * backup there.
 */
export const openBackupWriter = async (folder: string, disk: BackupDisk): Promise<BackupWriter> => {
  await disk.makeFolder(folder);
  const foreignNames = (await readdir(folder)).filter((name) => !isIncidental(name) && !OWN_NAMES.test(name));
  if (foreignNames.length > 0)
    throw new HearthError("backup.foreign", `${folder} contains other files: ${foreignNames.slice(0, 3).join(", ")}.`, {
      hint: `Use a new folder: hearth backup --to ${join(folder, "hearth-backups")}`,
    });
  const lock = lockFolder(folder);
  try {
    return await openLocked(folder, disk, lock);
  } catch (error) {
    lock.close();
    throw error;
  }
};

const lockFolder = (folder: string): Database => {
  try {
    return lockFile(join(folder, "lock"));
  } catch (cause) {
    if (!codeOf(cause).startsWith("SQLITE_BUSY")) throw cause;
    throw new HearthError("backup.busy", `Another process is writing a backup to ${folder}.`, {
      hint: "Wait until it has ended, then try again.",
      cause,
    });
  }
};

const openLocked = async (folder: string, disk: BackupDisk, lock: Database): Promise<BackupWriter> => {
  const drafts = join(folder, "drafts");
  await disk.remove(drafts);
  await disk.makeFolder(drafts);
  await disk.makeFolder(objectsPath(folder));
  const objects = new Set(await listObjects(folder));
  const added = { files: 0, bytes: 0 };
  const freshDraft = (): string => join(drafts, crypto.randomUUID());

  const adopt = async (draft: string, digest: Digest): Promise<Digest> => {
    const { hash, sizeBytes } = digest;
    const path = objectPath(folder, hash);
    await disk.makeFolder(dirname(path));
    await disk.rename(draft, path);
    if (!objects.has(hash)) {
      objects.add(hash);
      added.files += 1;
      added.bytes += sizeBytes;
    }
    return digest;
  };
  const add = async (chunks: Chunks): Promise<Digest> => {
    const draft = freshDraft();
    return adopt(draft, await disk.write(draft, chunks));
  };

  const drop = async (hash: string): Promise<void> => {
    objects.delete(hash);
    await disk.remove(objectPath(folder, hash));
  };

  const removeUnnamed = async (): Promise<void> => {
    const contentHashes = new Set<string>();
    for (const backup of await listBackups(folder)) {
      // It is not known which objects this backup needs.
      if (backup.manifest === undefined) return;
      for (const { hash } of contentsOf(backup.manifest)) contentHashes.add(hash);
    }
    for (const hash of await listObjects(folder)) if (!contentHashes.has(hash)) await drop(hash);
  };

  return {
    folder,
    number: ((await listBackups(folder)).at(-1)?.number ?? 0) + 1,
    added,
    has: (hash) => objects.has(hash),
    isIntact: async (hash, sizeBytes) => (await faultOf(objectPath(folder, hash), hash, sizeBytes)) === undefined,
    async addFile(file) {
      const digest = await digestOf(file);
      // The file may change between the two reads, and then the digest of the written bytes counts.
      return objects.has(digest.hash) ? digest : add(chunksOf(file));
    },
    add,
    async addDatabase(database) {
      const draft = freshDraft();
      // SQLite accepts an existing empty file and keeps its mode.
      await disk.create(draft, (path) => {
        database.run("vacuum into ?", [path]);
      });
      const digest = await digestAt(draft);
      if (digest === undefined) throw new Error(`${draft} is gone`);
      return adopt(draft, digest);
    },
    drop,
    removeUnnamed,
    async seal(manifest) {
      // The folders of objects of an interrupted backup are also synced: their names may not be durable yet.
      const shards = new Set(contentsOf(manifest).map(({ hash }) => dirname(objectPath(folder, hash))));
      for (const shard of shards) await disk.syncFolder(shard);
      await disk.syncFolder(objectsPath(folder));
      const draft = freshDraft();
      await disk.write(draft, [new TextEncoder().encode(sealManifest(manifest))]);
      await disk.rename(draft, manifestPath(folder, manifest.number));
      await disk.syncFolder(folder);
      await disk.syncFolder(dirname(folder));
    },
    async prune(house, keep) {
      const ownBackups = (await listBackups(folder)).filter(
        ({ state, manifest }) => state === "complete" && manifest?.house.id === house,
      );
      const removed = ownBackups.slice(0, Math.max(0, ownBackups.length - keep)).map(({ number }) => number);
      for (const number of removed) await disk.remove(manifestPath(folder, number));
      // An object may be removed only after the removal of its manifest is durable.
      await disk.syncFolder(folder);
      await removeUnnamed();
      return removed;
    },
    [Symbol.dispose]: () => lock.close(),
  };
};
