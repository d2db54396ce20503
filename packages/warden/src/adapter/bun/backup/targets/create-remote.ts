/**
 * Makes a backup of a home in a target. The files are first collected in `cache/` of the home,
 * without the blobs that the target has, then sent, and read back. The manifest comes last.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { replaceFile } from "../../replace-file.ts";
import { type BackupDisk, createBackupDisk, type Digest } from "../backup-disk.ts";
import { listObjects, objectPath } from "../backup-folder.ts";
import { type BackupWriter, type ObjectWriter, openBackupWriter } from "../backup-writer.ts";
import { type CopyOptions, copyHome, openLiveDatabase, requireWholeHome } from "../copy-home.ts";
import { type BackupReport, toFailure } from "../create.ts";
import { contentsOf, type Manifest, sealManifest, sizeOf } from "../manifest.ts";
import { undefinedIfMissing } from "../read-file.ts";
import { requireSpace } from "../space.ts";
import { listNumbers, listTarget, listTargetObjects, manifestKey, objectKey } from "./listing.ts";
import { lockTarget, RENEW_INTERVAL_MS, type TargetLock } from "./lock.ts";
import type { BackupTarget } from "./target.ts";

export interface RemoteBackupOptions {
  /** Absolute path of the home. */
  readonly home: string;
  readonly target: BackupTarget;
  /** Number of backups of this house to keep. When absent, all are kept. */
  readonly keep?: number;
  /** Public keys of age for which the backup is encrypted. If absent or empty, it is not encrypted. */
  readonly recipients?: readonly string[];
  readonly version: string;
  readonly now: () => number;
}

/** Number of objects of earlier backups that each backup reads and compares with their hashes. */
const SAMPLE_COUNT = 8;
/** Number of attempts to send an object that cannot be read back. */
const SEND_ATTEMPTS = 2;

/** One backup that is being made. */
interface Run {
  readonly target: BackupTarget;
  /** The folder in the home whose objects are sent. */
  readonly staging: BackupWriter;
  readonly drafts: string;
  readonly disk: BackupDisk;
  readonly lock: TargetLock;
  /** Hash and size of the objects of the target. */
  readonly objects: Map<string, number>;
  readonly added: { files: number; bytes: number };
}

/**
 * Makes a backup. Resolves when the manifest can be read back. A backup that ends early is not
 * listed, and the next one sends only what is still missing. Throws `backup.*`.
 */
export const createRemoteBackup = async (options: RemoteBackupOptions): Promise<BackupReport> => {
  const { target, now } = options;
  const disk = createBackupDisk();
  const home = await requireWholeHome(options.home);
  const folder = join(home, "cache/backups", `send-${sha256(target.name).slice(0, 16)}`);
  try {
    await mkdir(join(home, "cache/backups"), { recursive: true, mode: 0o700 });
    using staging = await openBackupWriter(folder, disk);
    const drafts = join(folder, "drafts");
    // The objects are also removed at the end, because they are plain copies of the home's files.
    const clear = async (): Promise<void> => {
      for (const hash of await listObjects(folder)) await staging.drop(hash);
    };
    await clear();
    const lock = await lockTarget({ target, holder: await holderOf(home), drafts, now });
    // The lock must not end during a long transfer. A failure shows when the lock is required.
    const renewal = setInterval(() => {
      lock.renew().catch(() => undefined);
    }, RENEW_INTERVAL_MS);
    try {
      await target.removeIncomplete();
      const objects = await listTargetObjects(target);
      const run = { target, staging, drafts, disk, lock, objects, added: { files: 0, bytes: 0 } };
      return await makeBackup(options, home, run);
    } finally {
      clearInterval(renewal);
      await lock.release().catch(() => undefined);
      await clear();
    }
  } catch (error) {
    throw toFailure(error, target.name);
  }
};

const makeBackup = async (options: RemoteBackupOptions, home: string, run: Run): Promise<BackupReport> => {
  const { recipients = [], keep = Infinity } = options;
  const { target, lock } = run;
  await dropDamaged(run);
  const number = ((await listNumbers(target)).at(-1) ?? 0) + 1;
  const { manifest, contents } = await collect(options, home, run, number);
  for (const file of contentsOf(manifest)) await send(file, run);
  // Another process could have removed objects while this machine was asleep.
  await lock.requireHeld();
  await requireCurrentSchema(manifest, run);
  await sendManifest(manifest, run);
  const removed = await prune(manifest, keep, run);
  return {
    number,
    folder: target.name,
    at: contents.at,
    house: contents.house.handle,
    files: contentsOf(contents).length,
    bytes: sizeOf(contents),
    added: { ...run.added },
    removed,
    isEncrypted: recipients.length > 0,
    remarks: contents.remarks,
  };
};

const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** Returns an id of this home on this machine. A copy of the home elsewhere has another id. */
const holderOf = async (home: string): Promise<string> => {
  const path = join(home, "cache/backups/holder");
  const storedId = await readFile(path, "utf8").catch(undefinedIfMissing);
  const id = storedId ?? randomUUID();
  if (storedId === undefined) await replaceFile(path, id);
  return sha256([id, hostname(), home].join("\n"));
};

/** Reads some objects of earlier backups and removes damaged ones, which this backup then sends again. */
const dropDamaged = async ({ target, drafts, objects }: Run): Promise<void> => {
  const hashes = [...objects.keys()];
  for (let count = 0; count < SAMPLE_COUNT && hashes.length > 0; count += 1) {
    const [hash = ""] = hashes.splice(Math.floor(Math.random() * hashes.length), 1);
    const digest = await fetchDigest(target, objectKey(hash), drafts);
    if (digest?.hash === hash) continue;
    await target.delete(objectKey(hash));
    objects.delete(hash);
  }
};

const fetchDigest = async (target: BackupTarget, key: string, drafts: string): Promise<Digest | undefined> => {
  const path = join(drafts, randomUUID());
  try {
    return await target.get(key, path);
  } finally {
    await rm(path, { force: true });
  }
};

/** Collects the files. `contents` is the manifest with the files of the home. */
const collect = async (
  { recipients = [], version, now }: RemoteBackupOptions,
  home: string,
  { target, staging, disk, objects }: Run,
  number: number,
): Promise<{ readonly manifest: Manifest; readonly contents: Manifest }> => {
  const database = await openLiveDatabase(home);
  try {
    await requireSpace(disk, database, staging.folder, homeFullError);
    const copyOptions: CopyOptions = { home, writer: staging, database, version, now };
    if (recipients.length === 0) {
      const copyManifest = await copyHome({ ...copyOptions, storedElsewhere: objects });
      const manifest = { ...copyManifest, number };
      return { manifest, contents: manifest };
    }
    const writer: ObjectWriter = {
      folder: staging.folder,
      number,
      has: (hash) => objects.has(hash) || staging.has(hash),
      isIntact: (hash, sizeBytes) => Promise.resolve(objects.get(hash) === sizeBytes),
      addFile: staging.addFile,
      add: staging.add,
      addDatabase: staging.addDatabase,
      async drop(hash) {
        await target.delete(objectKey(hash));
        objects.delete(hash);
        await staging.drop(hash);
      },
    };
    const { copyEncrypted } = await import("../create-encrypted.ts");
    return await copyEncrypted({ ...copyOptions, writer, recipients, disk });
  } finally {
    database.close();
  }
};

const homeFullError = (folder: string, why: string): HearthError =>
  new HearthError("backup.full", `The disk of ${folder} has no room to collect this backup: ${why}.`, {
    hint: "Free space on the disk of the home. Earlier backups are intact.",
  });

/** Sends an object that the target does not have, and reads it back. */
const send = async (file: Digest, run: Run): Promise<void> => {
  const { target, staging, drafts, objects, added } = run;
  const { hash, sizeBytes } = file;
  if (objects.get(hash) === sizeBytes) return;
  const key = objectKey(hash);
  for (let attempt = 1; ; attempt += 1) {
    await target.put(key, { path: objectPath(staging.folder, hash), hash, sizeBytes });
    if ((await fetchDigest(target, key, drafts))?.hash === hash) break;
    if (attempt === SEND_ATTEMPTS) throw mismatchError(target, key);
  }
  objects.set(hash, sizeBytes);
  added.files += 1;
  added.bytes += sizeBytes;
};

const mismatchError = ({ name }: BackupTarget, key: string): HearthError =>
  new HearthError("backup.damaged", `${key} cannot be read back from ${name} as it was sent.`, {
    hint: "Check the store for errors, or use another target.",
  });

const requireCurrentSchema = async (manifest: Manifest, { target }: Run): Promise<void> => {
  const listedObjects = await listTargetObjects(target);
  const missingObject = contentsOf(manifest).find(({ hash, sizeBytes }) => listedObjects.get(hash) !== sizeBytes);
  if (missingObject === undefined) return;
  throw new HearthError("backup.failed", `${missingObject.path} was removed from ${target.name} during the backup.`, {
    hint: "Make the backup again. Do not remove objects while a backup runs.",
  });
};

const sendManifest = async (manifest: Manifest, { target, drafts, disk }: Run): Promise<void> => {
  const path = join(drafts, randomUUID());
  const digest = await disk.write(path, [new TextEncoder().encode(sealManifest(manifest))]);
  const key = manifestKey(manifest.number);
  await target.put(key, { ...digest, path });
  await disk.remove(path);
  if ((await fetchDigest(target, key, drafts))?.hash !== digest.hash) throw mismatchError(target, key);
};

/**
 * Removes the oldest complete backups of the house, then the objects that no backup names. Removes
 * no object while a manifest cannot be read.
 */
const prune = async ({ house }: Manifest, keep: number, run: Run): Promise<readonly number[]> => {
  const { target, drafts, lock, objects } = run;
  const backups = await listTarget(target, drafts, objects);
  const ownBackups = backups.filter(({ state, manifest }) => state === "complete" && manifest?.house.id === house.id);
  const removed = ownBackups.slice(0, Math.max(0, ownBackups.length - keep)).map(({ number }) => number);
  for (const number of removed) await target.delete(manifestKey(number));
  const objectNames = new Set<string>();
  for (const { number, manifest } of backups) {
    if (manifest === undefined) return removed;
    if (!removed.includes(number)) for (const { hash } of contentsOf(manifest)) objectNames.add(hash);
  }
  await lock.requireHeld();
  for (const hash of objects.keys()) if (!objectNames.has(hash)) await target.delete(objectKey(hash));
  return removed;
};
