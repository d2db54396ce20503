/**
 * Makes backups of a running house at the interval of its config, each in another process so that
 * the daemon is not blocked.
 */
import type { BackupState, Clock } from "@hearth/protocol";
import { z } from "zod";
import { type BackupPlace, isBackupAddress, type Log } from "../../../kernel/index.ts";
import type { AskBackupProcess } from "./backup-request.ts";

/** Delay of the first backup. Requests that waited for the start have then been served. */
const FIRST_MS = 60_000;
/** Pause after a failure. It is shorter if the interval is. */
const RETRY_MS = 10 * 60_000;
/** Number of intervals since the last backup after which the next one is late. */
const LATE_INTERVALS = 2;

/** The last complete backup of this house in the folder. */
export const LastBackup = z.object({ number: z.int(), at: z.int(), isNew: z.boolean() });
export type LastBackup = z.infer<typeof LastBackup>;

export interface BackupSchedule {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** While it runs: makes a backup now, even if the last one is recent. Returns false while one is being made. */
  start(): boolean;
  state(): BackupState;
}

export interface BackupScheduleOptions {
  readonly home: string;
  /** The name of the target. Absent: the place is the folder of `[backup]`. */
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
  const backUp = async (interval: number, signal: AbortSignal): Promise<LastBackup> => {
    const request = { verb: "back-up", home, to: config.to, keep, everyMs: interval, recipients } as const;
    return LastBackup.parse(await ask(request, signal));
  };
  const startedAt = clock.now();
  let last: LastBackup | undefined;
  let problem: string | undefined;
  let nextAt: number | undefined = startedAt + FIRST_MS;
  let isAsked = false;
  let wake = new AbortController();

  /** Returns when to try again. */
  const tryOnce = async (signal: AbortSignal): Promise<number> => {
    const interval = isAsked ? 0 : everyMs;
    isAsked = false;
    try {
      last = await backUp(interval, signal);
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

  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    wake = new AbortController();
    await clock.sleep(isAsked ? 0 : ms, AbortSignal.any([signal, wake.signal]));
  };

  return {
    async run(signal) {
      await pause(FIRST_MS, signal);
      while (!signal.aborted) {
        nextAt = undefined;
        const next = await tryOnce(signal);
        // A clock that is set back must not postpone backups by more than an interval.
        const waitMs = Math.min(Math.max(next - clock.now(), 1000), everyMs);
        nextAt = clock.now() + waitMs;
        await pause(waitMs, signal);
      }
    },
    start() {
      if (nextAt === undefined || isAsked) return false;
      isAsked = true;
      wake.abort();
      return true;
    },
    state: () => ({
      ...(target === undefined ? {} : { target }),
      to,
      everyMs,
      keep,
      isEncrypted: recipients.length > 0,
      isRunning: nextAt === undefined || isAsked,
      ...(last === undefined ? {} : { last: { number: last.number, at: last.at } }),
      ...(nextAt === undefined || isAsked ? {} : { nextAt }),
      isLate: clock.now() - (last?.at ?? startedAt) > LATE_INTERVALS * everyMs,
      ...(problem === undefined ? {} : { problem }),
    }),
  };
};

/** The address of a target without its parameters. */
export const withoutParameters = (to: string): string => (isBackupAddress(to) ? (to.split("?")[0] ?? to) : to);
