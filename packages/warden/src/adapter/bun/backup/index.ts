/** Backups of a home: made while its daemon runs, verified, listed and restored. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { parseConfig } from "../../../kernel/config/read.ts";
import { type BackupPlace, type Config, isBackupAddress } from "../../../kernel/index.ts";
import { createSelect } from "../audit/offline-audit-log.ts";
import { openSqlite } from "../sqlite.ts";
import { undefinedIfMissing } from "./read-file.ts";
import type { LastBackup } from "./schedule.ts";
import { createBunWorld } from "../world.ts";
import { createArchive, isArchive, unpackArchive } from "./archive.ts";
import { createBackupDisk } from "./backup-disk.ts";
import { findBackup, type ListedBackup, listBackups, pickBackup } from "./backup-folder.ts";
import { firstHouse } from "./copy-home.ts";
import { decryptBackup } from "./decrypt.ts";
import { type BackupReport, createBackup } from "./create.ts";
import { requireEmpty } from "./fill-home.ts";
import { type RestoreRequest, type RestoreOutcome, restoreBackup } from "./restore.ts";
import { contentsOf, DATABASE, houseTag, type Manifest, sizeOf } from "./manifest.ts";
import { type Verified, verifyBackup } from "./verify.ts";
import type { BackupTarget } from "./targets/target.ts";

export { isArchive } from "./archive.ts";
export type { BackupReport } from "./create.ts";
export type { RestoreOutcome, RestoreReport } from "./restore.ts";
export type { Verified } from "./verify.ts";

/**
 * Returns the folder and the recipients of the home's config. By default, the folder is beside the
 * home and there is no encryption. Throws `config.invalid`.
 */
export const backupDefaults = async (home: string): Promise<Pick<BackupPlace, "to" | "recipients">> => {
  const { folder } = (await readBackupConfig(home)) ?? {};
  return { to: folder?.to ?? `${home}-backups`, recipients: folder?.recipients ?? [] };
};

const readBackupConfig = async (home: string): Promise<Config["backup"]> => {
  const text = await readFile(join(home, CONFIG), "utf8").catch(undefinedIfMissing);
  return text === undefined ? undefined : parseConfig(text, CONFIG).config.backup;
};
const CONFIG = "hearth.toml";

/**
 * The target of the home's config that has this name after `target:`, or this address up to its
 * parameters, as the config writes it. Throws `backup.not-found` for an unknown name.
 */
export const findTarget = async (
  home: string,
  path: string,
): Promise<Partial<BackupPlace> & { readonly to: string }> => {
  const { targets = new Map<string, BackupPlace>() } = (await readBackupConfig(home)) ?? {};
  if (path.startsWith(TARGET)) {
    const target = targets.get(path.slice(TARGET.length));
    if (target !== undefined) return target;
    throw new HearthError("backup.not-found", `hearth.toml has no backup target ${path.slice(TARGET.length)}.`, {
      hint: `Known targets: ${[...targets.keys()].join(", ") || "none"}. Add it: hearth backup add NAME ADDRESS`,
    });
  }
  const withoutParameters = (address: string): string => address.split("?")[0] ?? "";
  return [...targets.values()].find(({ to }) => to === path || withoutParameters(to) === path) ?? { to: path };
};
const TARGET = "target:";

/** Whether the text names a target elsewhere and not a path. */
export const isTarget = (text: string): boolean => text.startsWith(TARGET) || isBackupAddress(text);

/** Calls `use` with the target. `drafts` is a folder for downloads. */
const withTarget = async <Result>(
  location: BackupLocation,
  use: (target: BackupTarget, drafts: string) => Promise<Result>,
): Promise<Result> => {
  const { openTarget } = await import("./targets/open-target.ts");
  await using target = await openTarget(location.to, location.home);
  const drafts = await mkdtemp(join(tmpdir(), "hearth-target-"));
  try {
    return await use(target, drafts);
  } finally {
    await rm(drafts, { recursive: true });
  }
};

interface BackupLocation {
  readonly home: string;
  /** The folder of backups. */
  readonly to: string;
}

/** Makes a backup, unless the last complete one of this house is younger than the interval. */
export const backUpIfDue = async ({
  everyMs,
  keep,
  recipients,
  ...location
}: BackupLocation & {
  readonly everyMs: number;
  readonly keep: number;
  readonly recipients: readonly string[];
}): Promise<LastBackup> => {
  const lastBackup = await findLast(location);
  const age = createBunWorld().clock.now() - (lastBackup?.at ?? 0);
  // A backup from the future was made while the clock was wrong.
  if (lastBackup !== undefined && age >= 0 && age < everyMs) return { ...lastBackup, isNew: false };
  const { number, at } = await backUp({ ...location, keep, recipients });
  return { number, at, isNew: true };
};

const findLast = async ({ home, to }: BackupLocation): Promise<Omit<LastBackup, "isNew"> | undefined> => {
  if ((!isBackupAddress(to) && !existsSync(to)) || !existsSync(join(home, DATABASE))) return undefined;
  const database = openSqlite(join(home, DATABASE));
  try {
    const { id } = await firstHouse(createSelect(database));
    const isOwn = ({ house }: Manifest): boolean => [id, houseTag(id)].includes(house.id);
    const manifest = isBackupAddress(to) ? await findLastElsewhere({ home, to }, isOwn) : await findLastIn(to, isOwn);
    return manifest === undefined ? undefined : { number: manifest.number, at: manifest.at };
  } finally {
    database.close();
  }
};

const findLastIn = async (folder: string, isOwn: (manifest: Manifest) => boolean): Promise<Manifest | undefined> =>
  (await listBackups(folder)).findLast(
    ({ state, manifest }) => state === "complete" && manifest !== undefined && isOwn(manifest),
  )?.manifest;

const findLastElsewhere = (
  location: BackupLocation,
  isOwn: (manifest: Manifest) => boolean,
): Promise<Manifest | undefined> =>
  withTarget(location, async (target, drafts) => {
    const { findNewest } = await import("./targets/listing.ts");
    return findNewest(target, drafts, isOwn);
  });

/** Makes a backup. `to` may be an address. */
export const backUp = async (
  options: BackupLocation & { readonly keep?: number; readonly recipients?: readonly string[] },
): Promise<BackupReport> => {
  const { to, ...rest } = options;
  if (!isBackupAddress(to)) return createBackup({ ...options, ...(await versionAndTime()) });
  const { createRemoteBackup } = await import("./targets/create-remote.ts");
  return withTarget(options, async (target) => createRemoteBackup({ ...rest, target, ...(await versionAndTime()) }));
};

/** Makes a backup as one file. */
export const backUpToFile = async (options: {
  readonly home: string;
  readonly file: string;
  readonly recipients?: readonly string[];
}): Promise<BackupReport & { readonly file: string }> => createArchive({ ...options, ...(await versionAndTime()) });

const versionAndTime = async (): Promise<{ readonly version: string; readonly now: () => number }> => {
  const { version }: { readonly version: string } = JSON.parse(
    await readFile(new URL("../../../../package.json", import.meta.url), "utf8"),
  );
  return { version, now: createBunWorld().clock.now };
};

/** Calls `use` with the folder itself, or with a temporary folder that has the backup of an archive. */
const inFolder = async <Result>(from: string, use: (folder: string) => Promise<Result>): Promise<Result> => {
  if (!isArchive(from)) return use(from);
  const folder = await mkdtemp(join(tmpdir(), "hearth-archive-"));
  try {
    await unpackArchive(from, folder, createBackupDisk());
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** A backup in the list of `hearth backup list`. */
export interface BackupSummary {
  readonly number: number;
  readonly state: "complete" | "damaged";
  /** Absent when the manifest cannot be read. */
  readonly at?: number;
  readonly house?: string;
  readonly isEncrypted?: boolean;
  readonly files?: number;
  readonly bytes?: number;
  readonly remarks?: readonly string[];
  readonly problem?: string;
}

/** Returns the backups of a folder or a target, oldest first, or the backup of an archive. */
export const summariseBackups = async (from: string, home = ""): Promise<readonly BackupSummary[]> => {
  if (!isBackupAddress(from)) return inFolder(from, async (folder) => (await listBackups(folder)).map(summarise));
  const { listTarget } = await import("./targets/listing.ts");
  return withTarget({ home, to: from }, async (target, drafts) => (await listTarget(target, drafts)).map(summarise));
};

/** Writes a small object to a target, reads it back and deletes it. Throws `backup.*` and `config.invalid`. */
export const testTarget = (address: string, home: string): Promise<void> =>
  withTarget({ home, to: address }, async (target, drafts) => {
    const { tryTarget } = await import("./targets/try-target.ts");
    await tryTarget(target, drafts);
  });

const summarise = (backup: ListedBackup): BackupSummary => {
  const { number, state, manifest } = backup;
  const problem = backup.state === "damaged" ? { problem: backup.problem } : {};
  if (manifest === undefined) return { number, state, ...problem };
  const { at, house, remarks } = manifest;
  const files = contentsOf(manifest).length;
  const isEncrypted = manifest.encrypted !== undefined;
  return { number, state, at, house: house.handle, isEncrypted, files, bytes: sizeOf(manifest), remarks, ...problem };
};

/**
 * Verifies the backup of this number, or every backup, and reports those that cannot be read too.
 * With an identity, encrypted backups are decrypted into a temporary folder and read like others.
 * Backups of a target are fetched into a temporary folder, one at a time.
 */
export const verifyBackups = async (
  from: string,
  number: number | undefined,
  identity?: string,
  home = "",
): Promise<readonly Verified[]> => {
  if (!isBackupAddress(from)) return inFolder(from, (folder) => verifyFolder(folder, number, identity));
  const { fetchBackup, listTarget } = await import("./targets/listing.ts");
  return withTarget({ home, to: from }, async (target, drafts) => {
    const backups = await listTarget(target, drafts);
    const chosenBackups = number === undefined ? backups : [pickBackup(backups, number, target.name)];
    const verified: Verified[] = [];
    for (const backup of chosenBackups) {
      const manifest = "state" in backup ? backup.manifest : backup;
      if (manifest === undefined) {
        const fault = "problem" in backup ? backup.problem : "damaged";
        verified.push({ number: backup.number, ok: false, problems: [{ path: "backup", fault }] });
        continue;
      }
      const folder = join(drafts, "fetched");
      await fetchBackup({ target, manifest, folder, disk: createBackupDisk() });
      verified.push(...(await verifyFolder(folder, manifest.number, identity)));
    }
    return verified;
  });
};

const verifyFolder = async (
  folder: string,
  number: number | undefined,
  identity: string | undefined,
): Promise<readonly Verified[]> => {
  const verify = async (manifest: Manifest): Promise<Verified> => {
    const verified = await verifyBackup(folder, manifest);
    if (!verified.ok || manifest.encrypted === undefined || identity === undefined) return verified;
    const to = await mkdtemp(join(tmpdir(), "hearth-verify-"));
    try {
      await decryptBackup({ identity, from: folder, manifest, to });
      return await verifyBackup(to, await findBackup(to, manifest.number));
    } finally {
      await rm(to, { recursive: true });
    }
  };
  if (number !== undefined) return [await verify(await findBackup(folder, number))];
  const verified: Verified[] = [];
  for (const backup of await listBackups(folder))
    verified.push(
      backup.state === "complete"
        ? await verify(backup.manifest)
        : { number: backup.number, ok: false, problems: [{ path: "backup", fault: backup.problem }] },
    );
  return verified;
};

/** Restores a backup. `from` may be an address. */
export const restore = async (options: RestoreRequest): Promise<RestoreOutcome> => {
  const { from, home, number } = options;
  if (!isBackupAddress(from)) return restoreBackup(options);
  const { fetchBackup, listTarget } = await import("./targets/listing.ts");
  await requireEmpty(home);
  return withTarget({ home, to: from }, async (target, drafts) => {
    const manifest = pickBackup(await listTarget(target, drafts), number, target.name);
    const disk = createBackupDisk();
    const folder = `${home}.fetched`;
    try {
      await fetchBackup({ target, manifest, folder, disk });
      return await restoreBackup({ ...options, from: folder, number: manifest.number, origin: target.name });
    } finally {
      await disk.remove(folder);
    }
  });
};
