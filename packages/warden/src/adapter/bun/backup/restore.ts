/** Restores a backup into an empty folder. */
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { findBackup, objectPath } from "./backup-folder.ts";
import { fillHome, requireEmpty } from "./fill-home.ts";
import { contentsOf, sizeOf } from "./manifest.ts";
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
  const { home, from, disk = createBackupDisk() } = options;
  await requireEmpty(home);
  const manifest = await findBackup(from, options.number);
  const verified = await verifyBackup(from, manifest);
  if (!verified.ok) return { kind: "damaged", ...verified };
  const { number, at, house, remarks } = manifest;
  await fillHome({
    home,
    disk,
    contents: manifest,
    sourceOf: ({ hash }) => objectPath(from, hash),
    origin: { from, number, at, house: house.handle },
    what: "restore",
  });
  const files = contentsOf(manifest).length;
  return { kind: "restored", home, number, at, house: house.handle, files, bytes: sizeOf(manifest), remarks };
};
