/**
 * The lock of a backup target, which works on a store without conditional writes. Each process
 * writes its own object first and lists the others afterwards, so of two processes at least one
 * sees the other. A lock that its process does not renew ends after an hour.
 */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { z } from "zod";
import { digestAt, readWhole } from "../read-file.ts";
import type { BackupTarget } from "./target.ts";

/** Age of a lock at which its process counts as killed. */
export const LOCK_MS = 60 * 60_000;
/** Interval at which the holder renews its lock. */
export const RENEW_MS = 5 * 60_000;
const FOLDER = "lock/";

const LockText = z.object({ holder: z.string(), at: z.number() });

export interface TargetLock {
  /** Writes the lock again, so that it does not end. */
  renew(): Promise<void>;
  /** Throws `backup.busy` if the lock was lost, or if another process has one. */
  requireHeld(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  readonly target: BackupTarget;
  /** Processes with the same holder never run at the same time, such as backups of one home. */
  readonly holder: string;
  /** A folder for the lock before it is sent. */
  readonly drafts: string;
  readonly now: () => number;
}

/** Locks the target. Throws `backup.busy` while another process has the lock. */
export const lockTarget = async (options: LockOptions): Promise<TargetLock> => {
  const { target, holder, drafts, now } = options;
  const key = `${FOLDER}${crypto.randomUUID()}`;

  const renew = async (): Promise<void> => {
    const path = join(drafts, crypto.randomUUID());
    await writeFile(path, JSON.stringify({ holder, at: now() }), { flag: "wx", mode: 0o600 });
    const digest = await digestAt(path);
    if (digest === undefined) throw new Error(`${path} is gone`);
    await target.put(key, { ...digest, path });
    await rm(path);
  };
  /** Undefined if it was just removed. */
  const readLock = async (other: string): Promise<z.infer<typeof LockText> | undefined> => {
    const path = join(drafts, crypto.randomUUID());
    if ((await target.get(other, path)) === undefined) return undefined;
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
    const locks = (await target.list(FOLDER)).map((one) => one.key);
    if (!locks.includes(key)) throw busyError(target, "another process removed the lock of this backup");
    for (const other of locks.filter((one) => one !== key)) {
      const lock = await readLock(other);
      if (lock === undefined) continue;
      // A lock of this holder is left from a killed backup: a home never makes two at once.
      const isOver = lock.holder === holder || Math.abs(now() - lock.at) > LOCK_MS;
      if (!isOver) throw busyError(target, "another process is writing a backup there");
      await target.delete(other);
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
    hint: `Wait until the other backup has ended, then try again. The lock of a killed process ends after ${LOCK_MS / 60_000} minutes.`,
  });
