/** Makes a backup of a home, whose daemon may be running. */
import { HearthError, isHearthError } from "@hearth/protocol";
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { type BackupWriter, openBackupWriter } from "./backup-writer.ts";
import { type CopyOptions, copyHome, openLiveDatabase, requireHome } from "./copy-home.ts";
import { contentsOf, type Manifest, sizeOf } from "./manifest.ts";
import { codeOf } from "./read-file.ts";
import { requireSpace } from "./space.ts";

export interface BackupReport {
  readonly number: number;
  readonly folder: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly house: string;
  readonly files: number;
  readonly bytes: number;
  /** Files that the folder did not have before. */
  readonly added: { readonly files: number; readonly bytes: number };
  /** Numbers of backups that `keep` removed. */
  readonly removed: readonly number[];
  readonly isEncrypted: boolean;
  /** Problems of the home, one sentence each: files that are missing, damaged or not copied. */
  readonly remarks: readonly string[];
}

export interface BackupOptions {
  /** Absolute path of the home. */
  readonly home: string;
  /** Absolute path of the folder of backups. */
  readonly to: string;
  /** Number of backups of this house to keep. Older backups are removed. When absent, all are kept. */
  readonly keep?: number;
  /** Public keys (age) for which the backup is encrypted. If absent or empty, it is not encrypted. */
  readonly recipients?: readonly string[];
  readonly version: string;
  readonly now: () => number;
  readonly disk?: BackupDisk;
}

/**
 * Makes a backup. Resolves when it has been read back and is complete. An interrupted or failed
 * backup leaves earlier ones intact. Throws `backup.*`, and `store.*` if the home has no usable
 * database.
 */
export const createBackup = async (options: BackupOptions): Promise<BackupReport> => {
  const { to, keep, disk = createBackupDisk() } = options;
  const home = await requireHome(options.home, to, "hearth backup --to DIR");
  try {
    using writer = await openBackupWriter(to, disk);
    const database = await openLiveDatabase(home);
    try {
      const { recipients = [], version, now } = options;
      await makeSpace(writer, () => requireSpace(disk, database, to, diskFullError));
      // The database is encrypted from a copy in the home.
      if (recipients.length > 0) await requireSpace(disk, database, home, diskFullError);
      const copyOptions = { home, writer, database, version, now };
      const { manifest, contents } =
        recipients.length === 0
          ? await copyPlain(copyOptions)
          : await (await import("./create-encrypted.ts")).copyEncrypted({ ...copyOptions, recipients, disk });
      await writer.seal(manifest);
      const removed = await writer.prune(manifest.house.id, keep ?? Infinity);
      return toReport({ contents, writer, removed, isEncrypted: manifest.encrypted !== undefined });
    } finally {
      database.close();
    }
  } catch (error) {
    throw toFailure(error, to);
  }
};

/** Runs `require`. If it reports too little space, removes the objects that no backup names, and runs it again. */
const makeSpace = async (writer: BackupWriter, require: () => Promise<void>): Promise<void> => {
  try {
    await require();
  } catch (error) {
    if (!isHearthError(error, "backup.full")) throw error;
    await writer.removeUnnamed();
    await require();
  }
};

/** Copies without encryption. The manifest to seal then also lists the files of the home. */
const copyPlain = async (copyOptions: CopyOptions) => {
  const manifest = await copyHome(copyOptions);
  return { manifest, contents: manifest };
};

const toReport = (parts: {
  readonly contents: Manifest;
  readonly writer: BackupWriter;
  readonly removed: readonly number[];
  readonly isEncrypted: boolean;
}): BackupReport => {
  const { contents, writer, removed, isEncrypted } = parts;
  return {
    number: contents.number,
    folder: writer.folder,
    at: contents.at,
    house: contents.house.handle,
    files: contentsOf(contents).length,
    bytes: sizeOf(contents),
    added: { ...writer.added },
    removed,
    isEncrypted,
    remarks: contents.remarks,
  };
};

const diskFullError = (to: string, why: string, cause?: unknown): HearthError =>
  new HearthError("backup.full", `The disk of ${to} has no room for this backup: ${why}. Earlier backups are intact.`, {
    hint: "Free space there, keep fewer backups (hearth backup --keep N), or give another disk: hearth backup --to DIR",
    cause,
  });

/** Converts a disk error to a `backup.*` error, and returns any other error unchanged. */
export const toFailure = (error: unknown, to: string): unknown => {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL" || String(error).includes("disk is full"))
    return diskFullError(to, "it became full", error);
  if (!/^E[A-Z]+$/.test(code)) return error;
  return new HearthError("backup.failed", `The backup to ${to} failed: ${String(error)}`, {
    hint: "Check that the folder is writable and that its disk works. Earlier backups are intact.",
    cause: error,
  });
};
