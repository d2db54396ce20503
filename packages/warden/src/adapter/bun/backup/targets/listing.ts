/** Lists and fetches the backups of a target. */
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BackupDisk } from "../backup-disk.ts";
import { type ListedBackup, MANIFEST, manifestPath, objectPath, toListed } from "../backup-folder.ts";
import { contentsOf, type Manifest, readManifest, sealManifest } from "../manifest.ts";
import { readWhole } from "../read-file.ts";
import type { BackupTarget } from "./target.ts";

const OBJECTS = "objects/";

export const objectKey = (hash: string): string => `${OBJECTS}${hash.slice(0, 2)}/${hash}`;
export const manifestKey = (number: number): string => basename(manifestPath("/", number));

/** Returns hash and size of every object. */
export const listTargetObjects = async (target: BackupTarget): Promise<Map<string, number>> =>
  new Map((await target.list(OBJECTS)).map(({ key, sizeBytes }) => [basename(key), sizeBytes]));

/** Returns the numbers of all backups, oldest first. */
export const listNumbers = async (target: BackupTarget): Promise<readonly number[]> =>
  (await target.list("backup-"))
    .flatMap(({ key }) => MANIFEST.exec(key)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);

/** Returns the text of a manifest, or undefined if another process has just removed it. */
const readText = async (target: BackupTarget, number: number, drafts: string): Promise<string | undefined> => {
  const path = join(drafts, crypto.randomUUID());
  try {
    if ((await target.get(manifestKey(number), path)) === undefined) return undefined;
    return new TextDecoder().decode(await readWhole(path));
  } finally {
    await rm(path, { force: true });
  }
};

/**
 * Returns every backup of the target, oldest first. A file counts as missing if its object has
 * another size. Its bytes are not read. `drafts` is a folder for downloads.
 */
export const listTarget = async (
  target: BackupTarget,
  drafts: string,
  objects?: ReadonlyMap<string, number>,
): Promise<readonly ListedBackup[]> => {
  const listedObjects = objects ?? (await listTargetObjects(target));
  const backups: ListedBackup[] = [];
  for (const number of await listNumbers(target)) {
    const text = await readText(target, number, drafts);
    if (text !== undefined) backups.push(toListed(number, text, intactHashes(text, listedObjects)));
  }
  return backups;
};

/** Returns the hashes of the objects whose sizes are those of the manifest. */
const intactHashes = (text: string, sizes: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const result = readManifest(text);
  if (result.kind === "damaged") return new Set();
  return new Set(
    contentsOf(result.manifest).flatMap(({ hash, sizeBytes }) => (sizes.get(hash) === sizeBytes ? [hash] : [])),
  );
};

/** Returns the newest backup that `isOwn` accepts, without reading its files. */
export const findNewest = async (
  target: BackupTarget,
  drafts: string,
  isOwn: (manifest: Manifest) => boolean,
): Promise<Manifest | undefined> => {
  for (const number of (await listNumbers(target)).toReversed()) {
    const result = readManifest((await readText(target, number, drafts)) ?? "");
    if (result.kind === "sealed" && isOwn(result.manifest)) return result.manifest;
  }
  return undefined;
};

/**
 * Copies one backup into a new folder of backups. Damaged or missing objects are damaged or missing
 * there too, and `verifyBackup` names their files.
 */
export const fetchBackup = async (options: {
  readonly target: BackupTarget;
  readonly manifest: Manifest;
  readonly folder: string;
  readonly disk: BackupDisk;
}): Promise<void> => {
  const { target, manifest, folder, disk } = options;
  await disk.remove(folder);
  await disk.makeFolder(folder);
  for (const hash of new Set(contentsOf(manifest).map((file) => file.hash))) {
    const path = objectPath(folder, hash);
    await disk.makeFolder(dirname(path));
    await target.get(objectKey(hash), path);
  }
  await disk.write(manifestPath(folder, manifest.number), [new TextEncoder().encode(sealManifest(manifest))]);
};
