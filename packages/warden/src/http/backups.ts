/** Backups that the running house makes: lists, starts, tests and restores them for the API. */
import {
  type AgentId,
  type BackupCopy,
  type BackupRestore,
  type BackupState,
  type BackupTest,
  type Check,
  HearthError,
  type RestoreBackup,
} from "@hearth/protocol";

export interface HomeBackups {
  /** Returns the places of `[backup]`, in the order of the config. */
  list(): Promise<readonly BackupState[]>;
  /** Starts a backup to this place. Returns false while one is being made there. */
  start(place: BackupState): Promise<boolean>;
  readonly restorer: () => Promise<HomeRestorer>;
}

/**
 * Lists and tests the places of backups, and replaces the contents of the home by a backup. An
 * undefined `target` means the folder of `[backup]`.
 */
export interface HomeRestorer {
  /**
   * Returns the backups at a place, oldest first, or undefined if the config has no such place.
   * Throws `backup.failed`.
   */
  list(target: string | undefined): Promise<readonly BackupCopy[] | undefined>;
  /** Writes a small object to a target and deletes it. Returns undefined if the config has no such target. */
  test(target: string): Promise<BackupTest | undefined>;
  /** Begins a restore, which ends the house. `busy`: another one is in progress. */
  start(request: RestoreBackup, by: AgentId): "begun" | "busy" | "no-such-place";
  state(): BackupRestore;
}

/** Returns the restorer. Throws `backup.not-found` in a house without a home folder. */
export const restorerOf = (backups: HomeBackups | undefined): Promise<HomeRestorer> => {
  if (backups !== undefined) return backups.restorer();
  throw new HearthError("backup.not-found", "This house has no home folder, and so no backups.", {
    hint: "Start a house with a home: hearth up --home DIR",
  });
};

/** Begins a restore. Throws `backup.not-found` and `backup.busy`. */
export const beginRestore = async (
  restorer: HomeRestorer,
  request: RestoreBackup,
  by: AgentId,
): Promise<BackupRestore> => {
  switch (restorer.start(request, by)) {
    case "begun":
      return restorer.state();
    case "busy":
      throw new HearthError("backup.busy", "A backup is already being restored.", {
        hint: "Wait until the house has started again.",
      });
    case "no-such-place":
      throw noBackupTargetError(request.target);
  }
};

/** Lists the backups at a place, oldest first. Throws `backup.not-found` and `backup.failed`. */
export const listCopies = async (
  restorer: HomeRestorer,
  target: string | undefined,
): Promise<readonly BackupCopy[]> => {
  const copies = await restorer.list(target);
  if (copies === undefined) throw noBackupTargetError(target);
  return copies;
};

/** Tests a target. Throws `backup.not-found`. */
export const testTarget = async (restorer: HomeRestorer, target: string): Promise<BackupTest> => {
  const outcome = await restorer.test(target);
  if (outcome === undefined) throw noBackupTargetError(target);
  return outcome;
};

export const noBackupTargetError = (target: string | undefined): HearthError =>
  new HearthError(
    "backup.not-found",
    target === undefined ? "This house has no folder for backups." : `There is no target \`${target}\` for backups.`,
    { hint: "Add it in Settings → Backup & storage. Or run hearth backup add." },
  );

/**
 * Starts a backup. Without `target`, it goes to the folder. Throws `backup.not-found` and
 * `backup.busy`.
 */
export const startBackup = async (
  backups: Pick<HomeBackups, "list" | "start"> | undefined,
  target: string | undefined,
): Promise<BackupState> => {
  const place = (await backups?.list())?.find((backup) => backup.target === target);
  if (backups === undefined || place === undefined) throw noBackupTargetError(target);
  if (!(await backups.start(place)))
    throw new HearthError("backup.busy", `A backup to ${place.to} is being made.`, {
      hint: "Wait until it is complete: hearth backup status",
    });
  return (await backups.list()).find((backup) => backup.target === target) ?? place;
};

/** Whether an administrator should examine the backups. */
export const isInTrouble = ({ isLate, problem }: BackupState): boolean => isLate || problem !== undefined;

/** Returns one check for each place of backups. */
export const checkBackups = async (backups: Pick<HomeBackups, "list"> | undefined): Promise<readonly Check[]> =>
  ((await backups?.list()) ?? []).map((place): Check => {
    const { target, to, last, problem } = place;
    const name = target === undefined ? "backups" : `backups to ${target}`;
    const newestText =
      last === undefined
        ? "none is known yet"
        : `the last is backup ${last.number}, made ${new Date(last.at).toISOString()}`;
    if (!isInTrouble(place)) return { name, ok: true, detail: `${newestText}, in ${to}` };
    const why = problem === undefined ? "a backup is late" : `the last try failed: ${problem}`;
    const fix = "Make one now to see the reason: hearth backup. The house also tries again every 10 minutes.";
    return { name, ok: false, detail: `${why}; ${newestText}, in ${to}`, fix, page: "backups" };
  });
