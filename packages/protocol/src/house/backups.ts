/** Backups of a running house: their targets, copies and restores. */
import { z } from "zod";

/** Where the running house makes backups, and how the last one went. */
export const BackupState = z.object({
  /** The name in `[backup.targets.NAME]`. Absent: the folder of `[backup]`. */
  target: z.string().optional(),
  /** A folder, or an address without its parameters. */
  to: z.string(),
  everyMs: z.int().positive(),
  /** How many backups of this house stay there. */
  keep: z.int().positive(),
  isEncrypted: z.boolean(),
  isRunning: z.boolean(),
  /** The newest complete backup there. Absent: none is known since the house started. */
  last: z.object({ number: z.int(), at: z.int() }).optional(),
  /** When the next one begins. Absent while one is being made. */
  nextAt: z.int().optional(),
  /** Whether two intervals have passed without a backup. */
  isLate: z.boolean(),
  /** Why the last try failed. Absent: it did not. */
  problem: z.string().optional(),
});
export type BackupState = z.infer<typeof BackupState>;
export const BackupStateList = z.array(BackupState);

/** Asks for a backup now. Without a target, it goes to the folder of `[backup]`. */
export const MakeBackup = z.strictObject({ target: z.string().max(64).optional() });
export type MakeBackup = z.infer<typeof MakeBackup>;

/** The name of a target of backups, in `[backup.targets.NAME]`. */
export const BackupTargetName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/);

const StoreKey = z.string().regex(/^[!-~]{1,500}$/);

/** Adds a target of backups, or changes one. An absent field of a known target stays. */
export const SetBackupTarget = z.strictObject({
  /** The address, such as `s3://BUCKET/PREFIX?endpoint=URL` or `sftp://USER@HOST/FOLDER`. */
  to: z.string().min(1).max(2000).optional(),
  /** An interval such as `12h`. Null: that of `[backup]`. */
  every: z.string().max(20).nullable().optional(),
  /** How many backups of this house stay there. Null: the number of `[backup]`. */
  keep: z.int().min(1).max(10_000).nullable().optional(),
  /** The keys of an S3 store, which the house stores in its home. Both or none are present. */
  accessKeyId: StoreKey.optional(),
  secretAccessKey: StoreKey.optional(),
});
export type SetBackupTarget = z.infer<typeof SetBackupTarget>;

/** Whether the house can write to a target, read from it and delete there. */
export const BackupTest = z.object({ ok: z.boolean(), detail: z.string() });
export type BackupTest = z.infer<typeof BackupTest>;

/** A backup at a place of `[backup]`. */
export const BackupCopy = z.object({
  number: z.int(),
  state: z.enum(["complete", "damaged"]),
  /** When it was made. Absent, as the rest, when its list of files cannot be read. */
  at: z.int().optional(),
  /** The handle of the first house. */
  house: z.string().optional(),
  /** Whether it is encrypted. A restore then needs the identity, a private key. */
  isEncrypted: z.boolean().optional(),
  bytes: z.int().optional(),
  /** Why it is damaged. */
  problem: z.string().optional(),
});
export type BackupCopy = z.infer<typeof BackupCopy>;
export const BackupCopyList = z.array(BackupCopy);

/** Asks for a restore into the running house. Without a target, from the folder of `[backup]`. */
export const RestoreBackup = z.strictObject({
  target: z.string().max(64).optional(),
  number: z.int().min(1),
  /** The text of a file of `age-keygen`, for an encrypted backup. It is not stored. */
  identity: z.string().max(20_000).optional(),
});
export type RestoreBackup = z.infer<typeof RestoreBackup>;

/** How the last restore into the running house went. */
export const BackupRestore = z.object({
  /** `preparing`: the backup is verified and copied. `restarting`: the house starts again with it. */
  state: z.enum(["none", "preparing", "failed", "restarting"]),
  number: z.int().optional(),
  startedAt: z.int().optional(),
  /** Why it failed. The house is unchanged. */
  problem: z.string().optional(),
});
export type BackupRestore = z.infer<typeof BackupRestore>;
