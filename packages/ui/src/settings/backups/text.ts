/** User-facing texts of this folder, in the order of its files. */
import type { StorageKind } from "@hearth/protocol";
import type { TargetFields, TargetKind } from "./target-address.ts";

// backups-page.tsx
export const backups = "Backups";
export const backupsIntroduction =
  "A backup contains everything, including the keys of the house. Keep it on another disk or machine, and protect it.";
export const noBackupTargets =
  "This house makes no backups yet. Save a backup folder below, or add a target elsewhere.";
export const localFolder = "Folder";
export const place = "Place";
export const state = "Status";
export const last = "Last backup";
export const next = "Next backup";
export const none = "None";
export const encrypted = "Encrypted";
export const backupRunning = "Backup in progress";
export const backupNumber = (number: number): string => `Backup ${number}`;
export const noBackup = "No backup yet";
export const upToDate = "Up to date";
export const late = "Late";
export const failed = "The last backup failed";
export const backUpNow = "Back up now";
export const backUpTo = (name: string): string => `Back up now to ${name}`;
export const backupStarted = "Backup started.";
export const test = "Test";
export const testCount = (count: number): string => (count === 1 ? "Test 1 target" : `Test ${count} targets`);
export const testResult = (name: string, result: string): string => `${name}: ${result}`;
export const change = "Change";
export const changeTarget = (name: string): string => `Change ${name}`;
export const remove = "Remove";
export const removeCount = (count: number): string => (count === 1 ? "Remove 1 target" : `Remove ${count} targets`);
export const removeTargets = (count: number): string => (count === 1 ? "Remove 1 target?" : `Remove ${count} targets?`);
export const removalEffect = "The house stops making backups there. The backups that are there stay.";
export const removedCount = (count: number): string =>
  count === 1 ? "1 target removed." : `${count} targets removed.`;
export const testPassed = "The target works. A test object was written, read back and deleted.";

// add-target.tsx
export const targets = "Targets elsewhere";
export const newTarget = "New target";
export const addTarget = "Add target";
export const targetsIntroduction =
  "A target holds backups on another machine, where they survive the loss of this one. First log in with a login link or a passkey. You can then change targets for 15 minutes.";
export const targetName = "Name";
export const targetNameHint = "Lower-case letters, digits and hyphens, such as offsite.";
export const nameTaken = "A target with this name already exists.";
export const targetKind = "Type";
export const targetKinds: Readonly<Record<TargetKind, string>> = {
  s3: "S3-compatible store",
  sftp: "SSH server",
  file: "Mounted folder",
};

interface AddressField {
  readonly name: Exclude<keyof TargetFields, "kind">;
  readonly label: string;
  readonly hint?: string;
}
export const addressFields: Readonly<Record<TargetKind, readonly AddressField[]>> = {
  s3: [
    { name: "bucket", label: "Bucket" },
    { name: "folder", label: "Prefix", hint: "A folder in the bucket. Leave empty for none." },
    { name: "endpoint", label: "Address of the store", hint: "Such as https://s3.example.com. Leave empty for AWS." },
    { name: "region", label: "Region", hint: "Such as eu-central-1." },
  ],
  sftp: [
    { name: "host", label: "Server", hint: "USER@HOST. The machine of the house must know the key of this host." },
    { name: "folder", label: "Folder on the server", hint: "An absolute path, such as /srv/hearth." },
    {
      name: "identityFile",
      label: "Private key",
      hint: "The path of its file on the machine of the house. Leave empty for the key that ssh chooses.",
    },
  ],
  file: [{ name: "folder", label: "Folder", hint: "An absolute path, such as /mnt/share/hearth." }],
};
export const accessKeyId = "Access key ID";
export const keysHint =
  "The keys are stored in the home of the house. Keep a copy elsewhere: a restore on a new machine needs them.";
export const secretAccessKey = "Secret access key";
export const targetAdded = (name: string): string => `${name} added.`;

// target-schedule.tsx
export const targetEveryHint = "For example 12h or 1d. Leave empty for the values of the backup folder.";

// change-target.tsx
export const saveTarget = (name: string): string => `Save ${name}`;
export const targetSaved = (name: string): string => `${name} saved.`;
/** An interval in the form of the config, such as "12h". */
export const interval = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
};

// schedule-section.tsx
export const schedule = "Backup folder";
export const scheduleIntroduction =
  "To change these settings, first log in with a login link or a passkey. You can then change them for 15 minutes.";
export const folderPath = "Path on this machine";
export const folderPathHint = "An absolute path, preferably on another disk. Leave empty for no backups to a folder.";
export const backupInterval = "Interval";
export const backupIntervalHint = "For example 12h or 1d.";
export const backupsToKeep = "Backups to keep";
export const backupsToKeepHint = "Older backups are removed.";
export const saveSchedule = "Save backup folder";
export const scheduleSaved = "Backup folder saved.";

// restore-section.tsx
export const restore = "Restore";
export const restoreIntroduction =
  "A restore replaces everything in this house with a backup. First log in with a login link or a passkey. You can then restore for 15 minutes.";
export const restoreFrom = "Place";
export const showCopies = "List backups";
export const noCopies = "There are no backups at this place.";
export const copy = "Backup";
export const made = "Made";
export const complete = "Complete";
export const damaged = "Damaged";
export const restoreBackup = (number: number): string => `Restore backup ${number}`;
export const restoreTitle = (number: number): string => `Restore backup ${number}?`;
export const restoreConsequences =
  "Messages, agents, keys and settings become those of the backup. The house starts again on hold. It does no work until you choose on this page how it continues. The files from before stay in the home, in the folder “replaced”, until the next restore.";
export const restoreLogin =
  "You may have to log in again. Passwords, passkeys and sessions are those of the backup too.";
export const privateKey = "Identity";
export const privateKeyHint = "The private key that belongs to this backup, from age-keygen. It is not stored.";
export const preparingRestore = (number: number): string =>
  `Backup ${number} is being verified and copied. The house continues to work until then.`;
export const restartingHouse = (number: number): string =>
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
