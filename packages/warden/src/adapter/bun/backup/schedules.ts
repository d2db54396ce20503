/** Runs a schedule for each place of `[backup]`, and follows changes of the config. */
import { type BackupState, untilAborted, type Clock } from "@hearth/protocol";
import type { BackupPlace, ConfigSource, Log } from "../../../kernel/index.ts";
import type { AskBackupProcess } from "./backup-request.ts";
import { type BackupSchedule, createBackupSchedule } from "./schedule.ts";

export interface BackupSchedules {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Returns the states of the places, in the order of the config. */
  list(): readonly BackupState[];
  /** Returns false when the place is no longer in the config, or a backup is being made there. */
  start(target: string | undefined): boolean;
}

export interface BackupSchedulesOptions {
  readonly home: string;
  readonly config: Pick<ConfigSource, "current" | "onChange">;
  readonly log: Log;
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly ask: AskBackupProcess;
}

interface ScheduledPlace {
  readonly place: BackupPlace;
  readonly schedule: BackupSchedule;
  readonly stopper: AbortController;
  ended?: Promise<void>;
}

export const createBackupSchedules = (options: BackupSchedulesOptions): BackupSchedules => {
  const { home, config, log, clock, ask } = options;
  let scheduled: ReadonlyMap<string | undefined, ScheduledPlace> = new Map();
  let configChanged = Promise.withResolvers<void>();
  config.onChange(() => configChanged.resolve());

  /**
   * Matches the schedules to the config. A place with unchanged settings keeps its schedule. Every
   * other schedule ends, with its running backup.
   */
  const syncSchedules = (): ReadonlyMap<string | undefined, ScheduledPlace> => {
    const previousSchedules = scheduled;
    scheduled = new Map(
      placesOf(config).map(([target, place]) => {
        const existingSchedule = previousSchedules.get(target);
        if (existingSchedule !== undefined && Bun.deepEquals(existingSchedule.place, place))
          return [target, existingSchedule];
        const schedule = createBackupSchedule({ home, target, config: place, log, clock, ask });
        return [target, { place, schedule, stopper: new AbortController() }];
      }),
    );
    for (const [target, { stopper }] of previousSchedules)
      if (scheduled.get(target)?.stopper !== stopper) stopper.abort();
    return scheduled;
  };

  return {
    async run(signal) {
      const stopped = untilAborted(signal);
      const failure = Promise.withResolvers<never>();
      const runs: Promise<void>[] = [];
      while (!signal.aborted) {
        configChanged = Promise.withResolvers();
        for (const schedule of syncSchedules().values()) {
          if (schedule.ended !== undefined) continue;
          schedule.ended = schedule.schedule
            .run(AbortSignal.any([signal, schedule.stopper.signal]))
            .catch((error: unknown) => {
              // The next call of `run` starts the schedule again.
              delete schedule.ended;
              failure.reject(error);
            });
          runs.push(schedule.ended);
        }
        await Promise.race([configChanged.promise, stopped, failure.promise]);
      }
      await Promise.all(runs);
    },
    list: () => [...syncSchedules().values()].map(({ schedule }) => schedule.state()),
    start: (target) => syncSchedules().get(target)?.schedule.start() ?? false,
  };
};

const placesOf = (config: Pick<ConfigSource, "current">): readonly (readonly [string | undefined, BackupPlace])[] => {
  const { folder, targets = [] } = config.current().backup ?? {};
  return [...(folder === undefined ? [] : [[undefined, folder] as const]), ...targets];
};
