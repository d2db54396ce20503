/** Restores a backup into an empty folder. */
import { isArchive, unpackArchive } from "./archive.ts";
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";
import { findBackup, objectPath } from "./backup-folder.ts";
import { fillHome, requireEmpty } from "./fill-home.ts";
import { decryptBackup } from "./decrypt.ts";
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

/** The backup that a person chose, and the home that it is restored into. */
export interface RestoreRequest {
  /** Absolute path of the home, which is empty or missing. */
  readonly home: string;
  /** Absolute path of the folder of backups, or the address of a target of backups. */
  readonly from: string;
  /** Absent: the newest complete backup. An archive contains a single backup. */
  readonly number?: number;
  /** The text of a file of `age-keygen`, for an encrypted backup. */
  readonly identity?: string;
}

export interface RestoreOptions extends RestoreRequest {
  /** The origin of the backup, for people. The default is `from`. */
  readonly origin?: string;
  readonly disk?: BackupDisk;
}

export type RestoreOutcome = RestoreReport | ({ readonly kind: "damaged" } & Verified);

/**
 * Writes nothing when the backup is damaged. Throws `backup.not-found`, `home.foreign` when the
 * folder is not empty, `home.full`, and `backup.locked` without a fitting identity. An interrupted
 * restore can be run again. First unpacks an archive, or decrypts an encrypted backup, into a
 * folder beside the home.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreOutcome> => {
  const { home, from, disk = createBackupDisk() } = options;
  if (!isArchive(from)) return restoreFolder({ ...options, disk, origin: options.origin ?? from });
  const folder = `${home}.unpacked`;
  try {
    await unpackArchive(from, folder, disk);
    return await restoreFolder({ ...options, disk, from: folder, origin: from });
  } finally {
    await disk.remove(folder);
  }
};

/** `origin` is the folder or archive that the person gave. */
const restoreFolder = async (
  options: RestoreOptions & { readonly disk: BackupDisk; readonly origin: string },
): Promise<RestoreOutcome> => {
  const { home, from, origin, identity, disk } = options;
  const manifest = await findBackup(from, options.number);
  await requireEmpty(home);
  const verified = await verifyBackup(from, manifest);
  if (!verified.ok) return { kind: "damaged", ...verified };
  if (manifest.encrypted === undefined) return restoreFiles({ home, disk, manifest, from: origin, objects: from });
  const decryptedHome = `${home}.decrypted`;
  try {
    await decryptBackup({ identity, from, manifest, to: decryptedHome, disk });
    const contents = await findBackup(decryptedHome, manifest.number);
    const checked = await verifyBackup(decryptedHome, contents);
    if (!checked.ok) return { kind: "damaged", ...checked };
    return await restoreFiles({ home, disk, manifest: contents, from: origin, objects: decryptedHome });
  } finally {
    await disk.remove(decryptedHome);
  }
};

const restoreFiles = async (options: {
  readonly home: string;
  readonly disk: BackupDisk;
  readonly manifest: Manifest;
  /** The folder of backups or the archive, for people. */
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
