/** Restores a backup into an empty folder. */
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { findBackup, objectPath } from "./backup-folder.ts";
import { fillHome, requireEmpty } from "./fill-home.ts";
import { decryptWith } from "./decrypt.ts";
import { contentsOf, type Manifest, sizeOf } from "./manifest.ts";
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
  /** The text of a file of `age-keygen`, for an encrypted backup. */
  readonly identity?: string;
  readonly disk?: BackupDisk;
}

export type RestoreOutcome = RestoreReport | ({ readonly kind: "damaged" } & Verified);

/**
 * Nothing is written when the backup is damaged. Throws `backup.not-found`, `home.foreign` when the
 * folder is not empty, `home.full`, and `backup.locked` without a fitting identity. An interrupted
 * restore can be run again. An encrypted backup is decrypted beside the home first.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreOutcome> => {
  const { home, from, identity, disk = createBackupDisk() } = options;
  const manifest = await findBackup(from, options.number);
  await requireEmpty(home);
  const verified = await verifyBackup(from, manifest);
  if (!verified.ok) return { kind: "damaged", ...verified };
  if (manifest.encrypted === undefined) return fill({ home, disk, manifest, from, objects: from });
  const plain = `${home}.decrypted`;
  try {
    await decryptWith(identity, { from, manifest, to: plain, disk });
    const contents = await findBackup(plain, manifest.number);
    const checked = await verifyBackup(plain, contents);
    if (!checked.ok) return { kind: "damaged", ...checked };
    return await fill({ home, disk, manifest: contents, from, objects: plain });
  } finally {
    await disk.remove(plain);
  }
};

const fill = async (options: {
  readonly home: string;
  readonly disk: BackupDisk;
  readonly manifest: Manifest;
  /** The folder of backups, for people. */
  readonly from: string;
  /** The folder with the plain objects. */
  readonly objects: string;
}): Promise<RestoreReport> => {
  const { home, disk, manifest, from, objects } = options;
  const { number, at, house, remarks } = manifest;
  await fillHome({
    home,
    disk,
    contents: manifest,
    sourceOf: ({ hash }) => objectPath(objects, hash),
    origin: { from, number, at, house: house.handle },
    what: "restore",
  });
  const files = contentsOf(manifest).length;
  return { kind: "restored", home, number, at, house: house.handle, files, bytes: sizeOf(manifest), remarks };
};
