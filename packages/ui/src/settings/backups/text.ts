/** User-facing texts of this folder, in the order of its files. */
import type { StorageKind } from "@hearth/protocol";

// backups-page.tsx
export const backups = "Backups";
export const backupsIntroduction =
  "A backup contains everything, including the keys of the house. Keep it on another disk or machine, and protect it.";
export const noPlaces = "This house makes no backups yet.";
export const folder = "Folder";
export const place = (name: string, to: string): string => `${name}: ${to}`;
export const encrypted = "Encrypted";
export const isRunning = "Backup in progress";
export const lastBackup = (number: number): string => `Backup ${number}`;
export const noBackup = "No backup yet";
export const nextBackup = "next";
export const isLate = "A backup is late. Earlier backups are intact.";
export const failed = "The last backup failed";
export const backUpNow = "Back up now";
export const backUpTo = (name: string): string => `Back up now to ${name}`;
export const backupStarted = "Backup started.";

// schedule-section.tsx
export const schedule = "Backup folder";
export const scheduleIntroduction =
  "To change these settings, first log in with a login link or a passkey. You can then change them for 15 minutes. Servers and SSH hosts are set in hearth.toml.";
export const path = "Path on this machine";
export const pathHint = "An absolute path, preferably on another disk. Leave empty for no backups to a folder.";
export const every = "Interval";
export const everyHint = "For example 12h or 1d.";
export const keep = "Backups to keep";
export const keepHint = "Older backups are removed.";
export const saveSchedule = "Save backup folder";
export const scheduleSaved = "Backup folder saved.";

// restore-section.tsx
export const restore = "Restore";
export const restoreIntroduction =
  "A restore replaces everything in this house with a backup. First log in with a login link or a passkey. You can then restore for 15 minutes.";
export const restoreFrom = "Place";
export const showCopies = "List backups";
export const noCopies = "There are no backups at this place.";
export const isDamaged = "This backup is damaged";
export const restoreThis = (number: number): string => `Restore backup ${number}`;
export const restoreTitle = (number: number): string => `Restore backup ${number}?`;
export const restoreConsequences =
  "Messages, agents, keys and settings become those of the backup. The house starts again on hold. It does no work until you choose on this page how it continues. The files from before stay in the home, in the folder “replaced”, until the next restore.";
export const restoreLogin =
  "You may have to log in again. Passwords, passkeys and sessions are those of the backup too.";
export const identity = "Identity";
export const identityHint = "The private key that belongs to this backup, from age-keygen. It is not stored.";
export const preparing = (number: number): string =>
  `Backup ${number} is being verified and copied. The house continues to work until then.`;
export const restarting = (number: number): string =>
  `Backup ${number} is copied. The house is starting again with it.`;
export const restoreFailed = (number: number): string => `Backup ${number} was not restored. The house is unchanged.`;

// storage-section.tsx
export const storage = "Storage";
export const storageIntroduction = "Disk space by kind. Measuring a large house takes some seconds.";
export const measure = "Measure storage";
export const measureAgain = "Measure storage again";
export const kind = "Kind";
export const size = "Size";
export const total = "Total";
export const kinds: Readonly<Record<StorageKind, string>> = {
  messages: "Messages and summaries",
  turns: "Details of runs",
  audit: "Audit log",
  events: "Events of agents and houses",
  streams: "Byte streams",
  versions: "Versions of brain files",
  channels: "Channels",
  jobs: "Past runs of automations",
  settings: "Records and settings",
  free: "Free space in the database",
  log: "Write-ahead log of the database",
  blobs: "Files and long texts",
  brains: "Brain files",
  work: "Sandboxes",
  index: "Search index",
  cache: "Caches",
  copies: "Copies of the database",
  logs: "Logs",
};
