/**
 * Exports a whole home as plain files. The home is copied as for a backup, also while its daemon
 * runs, and then written in forms that people and other programs read. The file `INCOMPLETE` marks
 * the folder until every file was written and read back, and then becomes `export.json`.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { KEY_FILE } from "../audit/key.ts";
import { type BackupDisk, createBackupDisk } from "../backup/backup-disk.ts";
import { type BackupWriter, openBackupWriter } from "../backup/backup-writer.ts";
import { copyHome, openLiveDatabase, requireHome } from "../backup/copy-home.ts";
import { codeOf, undefinedIfMissing } from "../backup/read-file.ts";
import { requireSpace } from "../backup/space.ts";
import { exportedFiles, type ExportManifest, INCOMPLETE, MANIFEST } from "./export-manifest.ts";
import { DRAFT, type OnProgress, README_FILE, writeExport } from "./write-export.ts";

/** The choices of a person for an export. */
export interface ExportRequest {
  /** Absolute path of the home. */
  readonly home: string;
  /** Absolute path of the folder, which is empty or missing. */
  readonly to: string;
  /** Whether the export contains the hashes of passwords, keys and sessions, and the key of the vault. */
  readonly withCredentials: boolean;
  readonly onProgress?: OnProgress;
}

export interface ExportOptions extends ExportRequest {
  readonly version: string;
  readonly now: () => number;
  readonly disk?: BackupDisk;
}

export interface ExportReport {
  readonly folder: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly house: string;
  readonly stateHash: string;
  readonly files: number;
  readonly bytes: number;
  readonly rows: number;
  readonly hasCredentials: boolean;
  /** Describes files that are missing or damaged in the home, and files that the export omits. */
  readonly remarks: readonly string[];
}

/**
 * The folder of the home's copy, relative to the home. The copy contains credentials even if the
 * export does not, so it must not be on the disk of the export.
 */
const COPY = "cache/export";
/** Top-level names of an export. */
const EXPORT_NAMES: ReadonlySet<string> = new Set([
  INCOMPLETE,
  MANIFEST,
  DRAFT,
  README_FILE,
  "tables",
  "credentials",
  "rooms",
  "home",
  "blobs",
]);

/**
 * Resolves once every file has been read back and the export is complete. Throws `backup.*`, and
 * `store.*` when the home has no usable database. An interrupted export can be run again.
 */
export const exportHome = async (options: ExportOptions): Promise<ExportReport> => {
  const { to, disk = createBackupDisk() } = options;
  const home = await requireHome(options.home, to, "hearth export DIR");
  await requireNew(to);
  try {
    await markIncomplete(to, disk);
    using writer = await openBackupWriter(join(home, COPY), disk);
    for (const name of EXPORT_NAMES) if (name !== INCOMPLETE) await disk.remove(join(to, name));
    try {
      return toReport(to, await copyAndWrite({ ...options, home, disk }, writer));
    } finally {
      await disk.remove(writer.folder);
    }
  } catch (error) {
    throw toFailure(error, to);
  }
};

const copyAndWrite = async (
  options: ExportOptions & { readonly disk: BackupDisk },
  writer: BackupWriter,
): Promise<ExportManifest> => {
  const { home, to, withCredentials, version, now, disk, onProgress = () => {} } = options;
  const database = await openLiveDatabase(home);
  try {
    await requireSpace(disk, database, to, diskFullError);
    await requireSpace(disk, database, home, diskFullError);
    onProgress({ what: "copying the home" });
    const isExcluded = (path: string): boolean => !withCredentials && isCredential(path);
    const copyManifest = await copyHome({ home, writer, database, version, now, isExcluded });
    return await writeExport({ to, disk, copied: copyManifest, copies: writer.folder, withCredentials, onProgress });
  } finally {
    database.close();
  }
};

const toReport = (folder: string, manifest: ExportManifest): ExportReport => {
  const files = exportedFiles(manifest);
  const { at, house, tables, credentials, remarks } = manifest;
  return {
    folder,
    at,
    house: house.handle,
    stateHash: manifest.stateHash,
    files: files.length,
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    hasCredentials: credentials !== undefined,
    remarks,
  };
};

/** Files of a home that hold keys. The keys of the audit log are exported, because they verify it. */
const isCredential = (path: string): boolean => path !== KEY_FILE && /^(vault|egress)(\/|$)|^keys\//.test(path);

const requireNew = async (to: string): Promise<void> => {
  const names = (await readdir(to).catch(undefinedIfMissing)) ?? [];
  const foreignNames = names.includes(INCOMPLETE) ? names.filter((name) => !EXPORT_NAMES.has(name)) : names;
  if (foreignNames.length === 0) return;
  const contents = names.includes(MANIFEST)
    ? "an export already"
    : `other files: ${foreignNames.slice(0, 3).join(", ")}`;
  throw new HearthError("backup.foreign", `${to} contains ${contents}.`, {
    hint: "Give a new folder: hearth export DIR",
  });
};

const markIncomplete = async (to: string, disk: BackupDisk): Promise<void> => {
  await disk.makeFolder(to);
  if (existsSync(join(to, INCOMPLETE))) return;
  const text =
    "This export is not complete: it was interrupted or is still running. To make it again: hearth export DIR\n";
  await disk.write(join(to, INCOMPLETE), [new TextEncoder().encode(text)]);
  await disk.syncFolder(to);
  await disk.syncFolder(dirname(to));
};

const diskFullError = (to: string, why: string, cause?: unknown): HearthError =>
  new HearthError("backup.full", `The disk of ${to} has no room for this export: ${why}.`, {
    hint: "Free space there, or give a folder on another disk: hearth export DIR",
    cause,
  });

const toFailure = (error: unknown, to: string): unknown => {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL" || String(error).includes("disk is full"))
    return diskFullError(to, "it became full", error);
  if (!/^E[A-Z]+$/.test(code)) return error;
  return new HearthError("backup.failed", `The export to ${to} failed: ${String(error)}`, {
    hint: "Check that the folder is writable and that its disk works, then run the export again.",
    cause: error,
  });
};
