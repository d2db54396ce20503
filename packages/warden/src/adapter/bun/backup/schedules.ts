/** A schedule for each place of `[backup]`. Follows changes of the config. */
import { type BackupState, untilAborted, type Clock } from "@hearth/protocol";
import type { BackupPlace, ConfigSource, Log } from "../../../kernel/index.ts";
import type { AskBackupProcess } from "./backup-request.ts";
import { type BackupSchedule, createBackupSchedule } from "./schedule.ts";

export interface BackupSchedules {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** In the order of the config. */
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

interface Scheduled {
  readonly place: BackupPlace;
  readonly schedule: BackupSchedule;
  readonly life: AbortController;
  ended?: Promise<void>;
}

export const createBackupSchedules = (options: BackupSchedulesOptions): BackupSchedules => {
  const { home, config, log, clock, ask } = options;
  let scheduled: ReadonlyMap<string | undefined, Scheduled> = new Map();
  let changed = Promise.withResolvers<void>();
  config.onChange(() => changed.resolve());

  /** A place whose settings are the same keeps its schedule; a backup to another one is ended. */
  const follow = (): ReadonlyMap<string | undefined, Scheduled> => {
    const old = scheduled;
    scheduled = new Map(
      placesOf(config).map(([target, place]) => {
        const same = old.get(target);
        if (same !== undefined && Bun.deepEquals(same.place, place)) return [target, same];
        const schedule = createBackupSchedule({ home, target, config: place, log, clock, ask });
        return [target, { place, schedule, life: new AbortController() }];
      }),
    );
    for (const [target, { life }] of old) if (scheduled.get(target)?.life !== life) life.abort();
    return scheduled;
  };

  return {
    async run(signal) {
      const stopped = untilAborted(signal);
      const failed = Promise.withResolvers<never>();
      const all: Promise<void>[] = [];
      while (!signal.aborted) {
        changed = Promise.withResolvers();
        for (const schedule of follow().values()) {
          if (schedule.ended !== undefined) continue;
          schedule.ended = schedule.schedule
            .run(AbortSignal.any([signal, schedule.life.signal]))
            .catch((error: unknown) => {
              // Started again with this reader.
              delete schedule.ended;
              failed.reject(error);
            });
          all.push(schedule.ended);
        }
        await Promise.race([changed.promise, stopped, failed.promise]);
      }
      await Promise.all(all);
    },
    list: () => [...follow().values()].map(({ schedule }) => schedule.state()),
    start: (target) => follow().get(target)?.schedule.start() ?? false,
  };
};

const placesOf = (config: Pick<ConfigSource, "current">): readonly (readonly [string | undefined, BackupPlace])[] => {
  const { folder, targets = [] } = config.current().backup ?? {};
  return [...(folder === undefined ? [] : [[undefined, folder] as const]), ...targets];
};
