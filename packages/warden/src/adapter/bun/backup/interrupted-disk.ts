/**
 * Ends a backup or a restore at one operation, as SIGKILL would, for tests: that operation is half
 * done or done, and none after it.
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

/** `at`: the index of the last operation. Infinity: none is the last. */
export const createInterruptedDisk = (at: number, extent: Extent): InterruptedDisk => {
  const disk = createBackupDisk();
  const operations: string[] = [];
  const step = async <Result>(operation: string, work: () => Promise<Result>, half?: () => void): Promise<Result> => {
    operations.push(operation);
    const place = operations.length - 1;
    if (place < at) return work();
    if (place === at && extent === "done") await work();
    // An operation without a half, such as a rename, is not done.
    if (place === at && extent === "half done") half?.();
    throw new Interrupted(operation);
  };
  const halfFile = (path: string) => () => writeFileSync(path, "half", { flag: "wx" });
  return {
    operations,
    endsInWrite: () => /^(write|create) /.test(operations[at] ?? ""),
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
