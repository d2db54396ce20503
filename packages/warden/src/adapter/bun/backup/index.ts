/** Backups of a home: made while its daemon runs, verified, listed and restored. */
import { readFile } from "node:fs/promises";
import { createBunWorld } from "../world.ts";
import { findBackup, listBackups } from "./backup-folder.ts";
import { type BackupReport, createBackup } from "./create.ts";
import { contentsOf, sizeOf } from "./manifest.ts";
import { type Verified, verifyBackup } from "./verify.ts";

export type { BackupReport } from "./create.ts";
export type { Verified } from "./verify.ts";

/** Beside the home, for a home whose config names no folder. */
export const defaultFolder = (home: string): string => `${home}-backups`;

export const backUp = async (options: {
  readonly home: string;
  readonly to: string;
  readonly keep?: number;
}): Promise<BackupReport> => {
  const { version }: { readonly version: string } = JSON.parse(
    await readFile(new URL("../../../../package.json", import.meta.url), "utf8"),
  );
  return createBackup({ ...options, version, now: createBunWorld().clock.now });
};

/** A backup in the list of `hearth backup list`. */
export interface BackupSummary {
  readonly number: number;
  readonly state: "complete" | "damaged";
  /** Absent when the manifest cannot be read. */
  readonly at?: number;
  readonly house?: string;
  readonly files?: number;
  readonly bytes?: number;
  readonly remarks?: readonly string[];
  readonly problem?: string;
}

/** Oldest first. */
export const summariseBackups = async (folder: string): Promise<readonly BackupSummary[]> =>
  (await listBackups(folder)).map((backup) => {
    const { number, state, manifest } = backup;
    const problem = backup.state === "damaged" ? { problem: backup.problem } : {};
    if (manifest === undefined) return { number, state, ...problem };
    const { at, house, remarks } = manifest;
    const files = contentsOf(manifest).length;
    return { number, state, at, house: house.handle, files, bytes: sizeOf(manifest), remarks, ...problem };
  });

/** Verifies the backup of this number, or every backup, and reports those that cannot be read too. */
export const verifyBackups = async (folder: string, number: number | undefined): Promise<readonly Verified[]> => {
  if (number !== undefined) return [await verifyBackup(folder, await findBackup(folder, number))];
  const verified: Verified[] = [];
  for (const backup of await listBackups(folder))
    verified.push(
      backup.state === "complete"
        ? await verifyBackup(folder, backup.manifest)
        : { number: backup.number, ok: false, problems: [{ path: "backup", fault: backup.problem }] },
    );
  return verified;
};
