/**
 * The lock of a backup target, which works on a store without conditional writes. Each process
 * first writes its own object and then lists all objects of the folder. So if two processes lock at
 * the same time, at least one sees the object of the other. A lock that is not renewed expires after an hour.
 */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { z } from "zod";
import { digestAt, readWhole } from "../read-file.ts";
import type { BackupTarget } from "./target.ts";

/** Age at which a lock expires, because its process was probably killed. */
export const LOCK_EXPIRY_MS = 60 * 60_000;
/** Interval at which the holder renews its lock. */
export const RENEW_INTERVAL_MS = 5 * 60_000;
const LOCK_FOLDER = "lock/";

const LockText = z.object({ holder: z.string(), at: z.number() });

export interface TargetLock {
  /** Renews the lock, so that it does not expire. */
  renew(): Promise<void>;
  /** Throws `backup.busy` if the lock was lost, or if another process has one. */
  requireHeld(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  readonly target: BackupTarget;
  /** Identifies the home. A home never makes two backups at once, so a lock of the same holder is a leftover. */
  readonly holder: string;
  /** A local folder for the temporary files of the lock. */
  readonly drafts: string;
  readonly now: () => number;
}

/** Locks the target. Throws `backup.busy` while another process has the lock. */
export const lockTarget = async (options: LockOptions): Promise<TargetLock> => {
  const { target, holder, drafts, now } = options;
  const key = `${LOCK_FOLDER}${crypto.randomUUID()}`;

  const renew = async (): Promise<void> => {
    const path = join(drafts, crypto.randomUUID());
    await writeFile(path, JSON.stringify({ holder, at: now() }), { flag: "wx", mode: 0o600 });
    const digest = await digestAt(path);
    if (digest === undefined) throw new Error(`${path} is gone`);
    await target.put(key, { ...digest, path });
    await rm(path);
  };
  /** Reads the lock of another process. Returns undefined if that process has just removed it. */
  const readLock = async (otherKey: string): Promise<z.infer<typeof LockText> | undefined> => {
    const path = join(drafts, crypto.randomUUID());
    if ((await target.get(otherKey, path)) === undefined) return undefined;
    const text = new TextDecoder().decode(await readWhole(path));
    await rm(path);
    try {
      return LockText.parse(JSON.parse(text));
    } catch {
      // An unreadable lock has no time and would last for ever, so it counts as expired.
      return { holder: "", at: -Infinity };
    }
  };
  const requireAlone = async (): Promise<void> => {
    const locks = (await target.list(LOCK_FOLDER)).map((entry) => entry.key);
    if (!locks.includes(key)) throw busyError(target, "another process removed the lock of this backup");
    for (const otherKey of locks.filter((lock) => lock !== key)) {
      const lock = await readLock(otherKey);
      if (lock === undefined) continue;
      // A killed backup of this home left its lock: a home never makes two backups at once.
      const isExpired = lock.holder === holder || Math.abs(now() - lock.at) > LOCK_EXPIRY_MS;
      if (!isExpired) throw busyError(target, "another process is writing a backup there");
      await target.delete(otherKey);
    }
  };

  await renew();
  try {
    await requireAlone();
  } catch (error) {
    await target.delete(key);
    throw error;
  }
  return { renew, requireHeld: requireAlone, release: () => target.delete(key) };
};

const busyError = (target: BackupTarget, why: string): HearthError =>
  new HearthError("backup.busy", `${target.name} cannot be used now: ${why}.`, {
    hint: `Wait until the other backup has ended, then try again. The lock of a killed process ends after ${LOCK_EXPIRY_MS / 60_000} minutes.`,
  });
