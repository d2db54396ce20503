/** Backups of a home: made while its daemon runs, verified, listed and restored. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../../kernel/config/read.ts";
import { selectIn } from "../audit/at-rest.ts";
import { openSqlite } from "../sqlite.ts";
import { undefinedIfMissing } from "./read-file.ts";
import type { LastBackup } from "./schedule.ts";
import { createBunWorld } from "../world.ts";
import { createArchive, isArchive, unpackArchive } from "./archive.ts";
import { createBackupDisk } from "./backup-disk.ts";
import { findBackup, type ListedBackup, listBackups } from "./backup-folder.ts";
import { firstHouse } from "./copy-home.ts";
import { decryptWith } from "./decrypt.ts";
import { type BackupReport, createBackup } from "./create.ts";
import { type RestoreOptions, type RestoreOutcome, restoreBackup } from "./restore.ts";
import { contentsOf, DATABASE, houseTag, type Manifest, sizeOf } from "./manifest.ts";
import { type Verified, verifyBackup } from "./verify.ts";

export { isArchive } from "./archive.ts";
export type { BackupReport } from "./create.ts";
export type { RestoreOutcome, RestoreReport } from "./restore.ts";
export type { Verified } from "./verify.ts";

/**
 * The folder and the recipients of the home's config. Without them, a folder beside the home and no
 * encryption. Throws `config.invalid`.
 */
export const backupDefaults = async (
  home: string,
): Promise<{ readonly to: string; readonly recipients: readonly string[] }> => {
  const text = await readFile(join(home, CONFIG), "utf8").catch(undefinedIfMissing);
  const configured = text === undefined ? undefined : parseConfig(text, CONFIG).config.backup;
  return { to: configured?.to ?? `${home}-backups`, recipients: configured?.recipients ?? [] };
};
const CONFIG = "hearth.toml";

interface Place {
  readonly home: string;
  /** The folder of backups. */
  readonly to: string;
}

/** Makes a backup, unless the last complete one of this house is younger than the interval. */
export const backUpIfDue = async ({
  everyMs,
  keep,
  recipients,
  ...place
}: Place & {
  readonly everyMs: number;
  readonly keep: number;
  readonly recipients: readonly string[];
}): Promise<LastBackup> => {
  const last = await findLast(place);
  const age = createBunWorld().clock.now() - (last?.at ?? 0);
  // A backup from the future was made while the clock was wrong.
  if (last !== undefined && age >= 0 && age < everyMs) return { ...last, isNew: false };
  const { number, at } = await backUp({ ...place, keep, recipients });
  return { number, at, isNew: true };
};

const findLast = async ({ home, to }: Place): Promise<Omit<LastBackup, "isNew"> | undefined> => {
  if (!existsSync(to) || !existsSync(join(home, DATABASE))) return undefined;
  const database = openSqlite(join(home, DATABASE));
  try {
    const { id } = await firstHouse(selectIn(database));
    const own = (await listBackups(to)).filter(
      ({ state, manifest }) => state === "complete" && [id, houseTag(id)].includes(manifest?.house.id ?? ""),
    );
    const last = own.at(-1)?.manifest;
    return last === undefined ? undefined : { number: last.number, at: last.at };
  } finally {
    database.close();
  }
};

export const backUp = async (
  options: Place & { readonly keep?: number; readonly recipients?: readonly string[] },
): Promise<BackupReport> => createBackup({ ...options, ...(await versionAndTime()) });

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

/** The backups of a folder, oldest first, or that of an archive. */
export const summariseBackups = (from: string): Promise<readonly BackupSummary[]> =>
  inFolder(from, async (folder) => (await listBackups(folder)).map(summarise));

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
 */
export const verifyBackups = (
  from: string,
  number: number | undefined,
  identity?: string,
): Promise<readonly Verified[]> => inFolder(from, (folder) => verifyFolder(folder, number, identity));

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
      await decryptWith(identity, { from: folder, manifest, to });
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

export const restore = (options: Omit<RestoreOptions, "disk">): Promise<RestoreOutcome> => restoreBackup(options);
