/**
 * Makes backups of a running house at the interval of its config, each in another process so that
 * the daemon is not blocked. Reports a backup that is late.
 */
import { fileURLToPath } from "node:url";
import type { Check, Clock } from "@hearth/protocol";
import { z } from "zod";
import { type BackupPlace, isBackupAddress, type Log } from "../../../kernel/index.ts";

/** By then, requests that waited for the start have been served. */
const FIRST_MS = 60_000;
/** After a failure, the next try; sooner if the interval is shorter. */
const RETRY_MS = 10 * 60_000;
/** A backup is late when this many intervals have passed since the last one. */
const LATE_INTERVALS = 2;

/** The last complete backup of this house in the folder. */
export const LastBackup = z.object({ number: z.int(), at: z.int(), isNew: z.boolean() });
export type LastBackup = z.infer<typeof LastBackup>;

export interface BackupSchedule {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether backups are made as the config says. */
  check(): Check;
}

export interface BackupScheduleOptions {
  readonly home: string;
  /** The name of the check. */
  readonly name?: string;
  readonly config: BackupPlace;
  readonly log: Log;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** Makes a backup unless the last one is younger than the interval. */
  readonly backUp?: (signal: AbortSignal) => Promise<LastBackup>;
}

export const createBackupSchedule = (options: BackupScheduleOptions): BackupSchedule => {
  const { home, name = "backups", config, log, clock } = options;
  const { everyMs } = config;
  const to = withoutParameters(config.to);
  const backUp = options.backUp ?? ((signal) => backUpBeside(home, config, signal));
  const startedAt = clock.now();
  let last: LastBackup | undefined;
  let problem: string | undefined;

  /** Returns when to try again. */
  const tryOnce = async (signal: AbortSignal): Promise<number> => {
    try {
      last = await backUp(signal);
      problem = undefined;
      if (last.isNew) log.write("info", "a backup is complete", { number: last.number, to });
      return last.at + everyMs;
    } catch (error) {
      if (signal.aborted) return clock.now();
      problem = error instanceof Error ? error.message : String(error);
      log.write("error", "a backup failed; earlier backups are intact", { to, error });
      return clock.now() + Math.min(RETRY_MS, everyMs);
    }
  };

  return {
    async run(signal) {
      await clock.sleep(FIRST_MS, signal);
      while (!signal.aborted) {
        const next = await tryOnce(signal);
        // A clock that is set back must not postpone backups by more than an interval.
        await clock.sleep(Math.min(Math.max(next - clock.now(), 1000), everyMs), signal);
      }
    },
    check() {
      const age = clock.now() - (last?.at ?? startedAt);
      const newest =
        last === undefined ? "none was made yet" : `the last is backup ${last.number}, made ${toTime(last.at)}`;
      const isLate = age > LATE_INTERVALS * everyMs;
      if (problem === undefined && !isLate) return { name, ok: true, detail: `${newest}, in ${to}` };
      const why = problem === undefined ? "a backup is late" : `the last try failed: ${problem}`;
      const fix = "Make one now to see the reason: hearth backup. The house also tries again every 10 minutes.";
      return { name, ok: false, detail: `${why}; ${newest}, in ${to}`, fix };
    },
  };
};

/** The address of a target without its parameters. */
export const withoutParameters = (to: string): string => (isBackupAddress(to) ? (to.split("?")[0] ?? to) : to);

const toTime = (at: number): string => new Date(at).toISOString();

const backUpBeside = async (home: string, config: BackupPlace, signal: AbortSignal): Promise<LastBackup> => {
  const entry = fileURLToPath(new URL("backup-process.ts", import.meta.url));
  const { to, keep, everyMs, recipients } = config;
  const env = isBackupAddress(to) ? (await import("./targets/open-target.ts")).environmentFor(to) : {};
  const child = Bun.spawn(
    [process.execPath, "--no-install", "--no-env-file", entry, home, to, String(keep), String(everyMs), ...recipients],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe", env, signal },
  );
  const [text, failure, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(failure.trim().slice(-500) || `the process ended with exit code ${code}`);
  return LastBackup.parse(JSON.parse(text));
};
