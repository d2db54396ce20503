/**
 * Ends a backup or a restore at one operation, as SIGKILL would, for tests: that operation is half
 * done or done, and no later operation is done.
 */
import { writeFileSync } from "node:fs";
import { type BackupDisk, createBackupDisk } from "./backup-disk.ts";

export class Interrupted extends Error {}

export type Extent = "half done" | "done";

export interface InterruptedDisk extends BackupDisk {
  /** The operations so far, as `name path`. */
  readonly operations: readonly string[];
  /** Whether the last operation could have been half done. */
  readonly endsInWrite: () => boolean;
}

/** `lastIndex` is the index of the last operation. With Infinity, no operation is the last. */
export const createInterruptedDisk = (lastIndex: number, extent: Extent): InterruptedDisk => {
  const disk = createBackupDisk();
  const operations: string[] = [];
  const step = async <Result>(operation: string, work: () => Promise<Result>, half?: () => void): Promise<Result> => {
    operations.push(operation);
    const index = operations.length - 1;
    if (index < lastIndex) return work();
    if (index === lastIndex && extent === "done") await work();
    // An operation without a half, such as a rename, is not done.
    if (index === lastIndex && extent === "half done") half?.();
    throw new Interrupted(operation);
  };
  const halfFile = (path: string) => () => writeFileSync(path, "half", { flag: "wx" });
  return {
    operations,
    endsInWrite: () => /^(write|create) /.test(operations[lastIndex] ?? ""),
    makeFolder: (path) => step(`makeFolder ${path}`, () => disk.makeFolder(path)),
    write: (path, chunks) => step(`write ${path}`, () => disk.write(path, chunks), halfFile(path)),
    create: (path, make) => step(`create ${path}`, () => disk.create(path, make), halfFile(path)),
    rename: (from, to) => step(`rename ${from} ${to}`, () => disk.rename(from, to)),
    remove: (path) => step(`remove ${path}`, () => disk.remove(path)),
    syncFolder: (path) => step(`syncFolder ${path}`, () => disk.syncFolder(path)),
    setMode: (path, mode) => step(`setMode ${path}`, () => disk.setMode(path, mode)),
    setModified: (path, atMs) => step(`setModified ${path}`, () => disk.setModified(path, atMs)),
    link: (target, path) => step(`link ${path}`, () => disk.link(target, path)),
    freeBytes: disk.freeBytes,
  };
};
