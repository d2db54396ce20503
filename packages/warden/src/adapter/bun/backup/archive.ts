/**
 * A backup as one file: a tar archive with the manifest and the objects of a folder of backups. The
 * archive gets its name only after its bytes have been read back.
 */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { HearthError } from "@hearth/protocol";
import { type BackupDisk, createBackupDisk, type Digest } from "./backup-disk.ts";
import { findBackup, manifestPath, objectPath } from "./backup-folder.ts";
import { openBackupWriter } from "./backup-writer.ts";
import { requireHome } from "./copy-home.ts";
import { type BackupReport, createBackup, toFailure } from "./create.ts";
import { contentsOf, type Manifest, sealManifest } from "./manifest.ts";

/** Whether the path is an archive, or would become one, and not a folder. */
export const isArchive = (path: string): boolean =>
  existsSync(path) ? statSync(path).isFile() : path.endsWith(".tar");

/** The manifest and the objects of one backup, relative to the folder. */
const pathsOf = (folder: string, manifest: Manifest): readonly string[] => [
  relative(folder, manifestPath(folder, manifest.number)),
  ...new Set(contentsOf(manifest).map(({ hash }) => relative(folder, objectPath(folder, hash)))),
];

export interface ArchiveOptions {
  /** Absolute path of the home. */
  readonly home: string;
  /** Absolute path of the new file. */
  readonly file: string;
  /** Public keys of age for which the backup is encrypted. If absent or empty, it is not encrypted. */
  readonly recipients?: readonly string[];
  readonly version: string;
  readonly now: () => number;
  readonly disk?: BackupDisk;
}

/**
 * Makes a backup in a hidden folder beside the file, then packs it. Resolves when the file has been
 * read back. Throws `backup.foreign` if the file exists, and the errors of `createBackup`.
 */
export const createArchive = async (options: ArchiveOptions): Promise<BackupReport & { readonly file: string }> => {
  const { file, disk = createBackupDisk(), ...backupOptions } = options;
  const home = await requireHome(options.home, file, "hearth backup --to FILE.tar");
  if (existsSync(file))
    throw new HearthError("backup.foreign", `${file} already exists.`, {
      hint: "Give the name of a new file: hearth backup --to FILE.tar",
    });
  const folder = join(dirname(file), `.${basename(file)}.draft`);
  try {
    await removeFolder(folder, disk);
    const report = await createBackup({ ...backupOptions, home, disk, to: folder });
    const manifest = await findBackup(folder, report.number);
    const draft = join(folder, "drafts", "archive");
    const { create } = await import("tar");
    await disk.write(draft, create({ cwd: folder, portable: true, noMtime: true }, [...pathsOf(folder, manifest)]));
    await requireWhole(draft, folder, manifest);
    await disk.rename(draft, file);
    await disk.syncFolder(dirname(file));
    await disk.remove(folder);
    return { ...report, folder: dirname(file), file };
  } catch (error) {
    throw toFailure(error, file);
  }
};

/** Removes the folder of an interrupted backup. Throws `backup.foreign` for a folder with other files. */
const removeFolder = async (folder: string, disk: BackupDisk): Promise<void> => {
  (await openBackupWriter(folder, disk))[Symbol.dispose]();
  await disk.remove(folder);
};

/** Reads the archive and compares each file with its hash. */
const requireWhole = async (archive: string, folder: string, manifest: Manifest): Promise<void> => {
  const digests = await digestsIn(archive);
  const [manifestName = "", ...objects] = pathsOf(folder, manifest);
  const expected = new Map(objects.map((path) => [path, basename(path)]));
  expected.set(manifestName, new Bun.CryptoHasher("sha256").update(sealManifest(manifest)).digest("hex"));
  for (const [path, hash] of expected)
    if (digests.get(path)?.hash !== hash)
      throw new HearthError("backup.failed", `The archive was not written correctly: ${path} differs.`, {
        hint: "Check the disk, then make the backup again.",
      });
};

const digestsIn = async (archive: string): Promise<ReadonlyMap<string, Digest>> => {
  const { list } = await import("tar");
  const digests = new Map<string, Digest>();
  await list({
    file: archive,
    strict: true,
    onReadEntry(entry) {
      const hasher = new Bun.CryptoHasher("sha256");
      entry.on("data", (chunk) => hasher.update(chunk));
      entry.on("end", () => digests.set(entry.path, { hash: hasher.digest("hex"), sizeBytes: entry.size }));
    },
  });
  return digests;
};

const ARCHIVE_ENTRY = /^(backup-\d{6,}\.json|objects\/[0-9a-f]{2}\/[0-9a-f]{64})$/;

/**
 * Unpacks an archive into a folder of backups, which is then listed and verified like any other.
 * Damaged parts are missing or differ there. Replaces the folder.
 */
export const unpackArchive = async (file: string, folder: string, disk: BackupDisk): Promise<void> => {
  if (!existsSync(file))
    throw new HearthError("backup.not-found", `There is no file ${file}.`, {
      hint: "Give the file of a backup: --from FILE.tar",
    });
  await disk.remove(folder);
  await disk.makeFolder(folder);
  const { extract } = await import("tar");
  await extract({
    file,
    cwd: folder,
    filter: (path, entry) => ARCHIVE_ENTRY.test(path) && "type" in entry && entry.type === "File",
  }).catch((cause: unknown) => {
    // A later check compares the unpacked files with the manifest and names the missing ones.
    if (!(cause instanceof Error) || !/^(TAR_|Z_)/.test("code" in cause ? String(cause.code) : "")) throw cause;
  });
};
