/** Backups that the running house makes: the views and operations that a caller has. */
import { type BackupState, type Check, HearthError } from "@hearth/protocol";

export interface HomeBackups {
  /** The places of `[backup]`, in the order of the config. */
  list(): Promise<readonly BackupState[]>;
  /** Starts a backup to this place. Returns false while one is being made there. */
  start(place: BackupState): Promise<boolean>;
}

/**
 * Starts a backup. Without `target`, it goes to the folder. Throws `backup.not-found` and
 * `backup.busy`.
 */
export const startBackup = async (
  backups: HomeBackups | undefined,
  target: string | undefined,
): Promise<BackupState> => {
  const place = (await backups?.list())?.find((one) => one.target === target);
  if (backups === undefined || place === undefined)
    throw new HearthError(
      "backup.not-found",
      target === undefined ? "This house has no folder for backups." : `There is no target \`${target}\` for backups.`,
      { hint: "Add it to hearth.toml, under [backup], or in Settings → Backup & storage." },
    );
  if (!(await backups.start(place)))
    throw new HearthError("backup.busy", `A backup to ${place.to} is being made.`, {
      hint: "Wait until it is complete: hearth backup status",
    });
  return (await backups.list()).find((one) => one.target === target) ?? place;
};

/** Whether an administrator should examine the backups. */
export const isInTrouble = ({ isLate, problem }: BackupState): boolean => isLate || problem !== undefined;

/** Returns one check for each place of backups. */
export const checkBackups = async (backups: HomeBackups | undefined): Promise<readonly Check[]> =>
  ((await backups?.list()) ?? []).map((place): Check => {
    const { target, to, last, problem } = place;
    const name = target === undefined ? "backups" : `backups to ${target}`;
    const newest =
      last === undefined
        ? "none is known yet"
        : `the last is backup ${last.number}, made ${new Date(last.at).toISOString()}`;
    if (!isInTrouble(place)) return { name, ok: true, detail: `${newest}, in ${to}` };
    const why = problem === undefined ? "a backup is late" : `the last try failed: ${problem}`;
    const fix = "Make one now to see the reason: hearth backup. The house also tries again every 10 minutes.";
    return { name, ok: false, detail: `${why}; ${newest}, in ${to}`, fix };
  });
