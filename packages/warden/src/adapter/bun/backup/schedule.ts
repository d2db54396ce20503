/**
 * Makes backups of a running house at the interval of its config, each in another process so that
 * the daemon is not blocked.
 */
import type { BackupState, Clock } from "@hearth/protocol";
import { z } from "zod";
import { type BackupPlace, isBackupAddress, type Log } from "../../../kernel/index.ts";
import type { AskBackupProcess } from "./backup-request.ts";

/** Delay of the first backup. By then, requests that waited for the start have been served. */
const FIRST_DELAY_MS = 60_000;
/** Pause after a failure. It is shorter if the interval is. */
const RETRY_PAUSE_MS = 10 * 60_000;
/** Number of intervals since the last backup after which the next one is late. */
const LATE_INTERVALS = 2;

/** The last complete backup of this house in the folder. */
export const LastBackup = z.object({ number: z.int(), at: z.int(), isNew: z.boolean() });
export type LastBackup = z.infer<typeof LastBackup>;

export interface BackupSchedule {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Makes a backup now, even if the last one is recent. This works only during `run`. Returns false
   * while a backup is being made.
   */
  start(): boolean;
  state(): BackupState;
}

export interface BackupScheduleOptions {
  readonly home: string;
  /** The name of the target. When absent, the place is the folder of `[backup]`. */
  readonly target?: string | undefined;
  readonly config: BackupPlace;
  readonly log: Log;
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly ask: AskBackupProcess;
}

export const createBackupSchedule = (options: BackupScheduleOptions): BackupSchedule => {
  const { home, target, config, log, clock, ask } = options;
  const { keep, everyMs, recipients } = config;
  const to = withoutParameters(config.to);
  /** Makes a backup unless the last one is younger than the interval. */
  const backUp = async (intervalMs: number, signal: AbortSignal): Promise<LastBackup> => {
    const request = { verb: "back-up", home, to: config.to, keep, everyMs: intervalMs, recipients } as const;
    return LastBackup.parse(await ask(request, signal));
  };
  const startedAt = clock.now();
  let lastBackup: LastBackup | undefined;
  let problem: string | undefined;
  let nextAt: number | undefined = startedAt + FIRST_DELAY_MS;
  let isRequested = false;
  let wake = new AbortController();

  /** Tries to make a backup. Returns the time of the next attempt. */
  const tryOnce = async (signal: AbortSignal): Promise<number> => {
    const intervalMs = isRequested ? 0 : everyMs;
    isRequested = false;
    try {
      lastBackup = await backUp(intervalMs, signal);
      problem = undefined;
      if (lastBackup.isNew) log.write("info", "a backup is complete", { number: lastBackup.number, to });
      return lastBackup.at + everyMs;
    } catch (error) {
      if (signal.aborted) return clock.now();
      problem = error instanceof Error ? error.message : String(error);
      log.write("error", "a backup failed; earlier backups are intact", { to, error });
      return clock.now() + Math.min(RETRY_PAUSE_MS, everyMs);
    }
  };

  const pause = async (durationMs: number, signal: AbortSignal): Promise<void> => {
    wake = new AbortController();
    await clock.sleep(isRequested ? 0 : durationMs, AbortSignal.any([signal, wake.signal]));
  };

  return {
    async run(signal) {
      await pause(FIRST_DELAY_MS, signal);
      while (!signal.aborted) {
        nextAt = undefined;
        const nextAttemptAt = await tryOnce(signal);
        // A clock that is set back must not postpone backups by more than an interval.
        const waitMs = Math.min(Math.max(nextAttemptAt - clock.now(), 1000), everyMs);
        nextAt = clock.now() + waitMs;
        await pause(waitMs, signal);
      }
    },
    start() {
      if (nextAt === undefined || isRequested) return false;
      isRequested = true;
      wake.abort();
      return true;
    },
    state: () => ({
      ...(target === undefined ? {} : { target }),
      to,
      everyMs,
      keep,
      isEncrypted: recipients.length > 0,
      isRunning: nextAt === undefined || isRequested,
      ...(lastBackup === undefined ? {} : { last: { number: lastBackup.number, at: lastBackup.at } }),
      ...(nextAt === undefined || isRequested ? {} : { nextAt }),
      isLate: clock.now() - (lastBackup?.at ?? startedAt) > LATE_INTERVALS * everyMs,
      ...(problem === undefined ? {} : { problem }),
    }),
  };
};

/** Returns the address of a target without its parameters. */
export const withoutParameters = (to: string): string => (isBackupAddress(to) ? (to.split("?")[0] ?? to) : to);
