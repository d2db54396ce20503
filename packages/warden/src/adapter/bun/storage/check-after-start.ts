/**
 * Checks the database's pages once after a start, in another process, so that a start does not wait
 * for it.
 */
import type { Check, Clock } from "@hearth/protocol";
import type { Log } from "../../../kernel/log/log.ts";
import { observe } from "../../../kernel/supervisor.ts";
import type { examineInProcess } from "./examine-in-process.ts";

/** Delay before the check. Requests that waited for the start have been served by then. */
const START_DELAY_MS = 10_000;

export interface StorageWatch {
  /** Result of the check after the start. It is empty before the check. */
  findings(): readonly Check[];
}

/** Schedules the check. `signal` cancels it. */
export const checkStorageAfterStart = (options: {
  readonly home: string;
  readonly log: Log;
  readonly sleep: Clock["sleep"];
  readonly signal: AbortSignal;
  /** Examines the database in another process. */
  readonly examine: typeof examineInProcess;
}): StorageWatch => {
  const { home, log, sleep, signal, examine } = options;
  let checks: readonly Check[] = [];
  const run = async (): Promise<void> => {
    await sleep(START_DELAY_MS, signal);
    if (signal.aborted) return;
    try {
      checks = await examine(home, { quick: true, signal });
      for (const { ok, detail, fix } of checks) if (!ok) log.write("error", "the database is damaged", { detail, fix });
    } catch (error) {
      if (!signal.aborted) log.write("warn", "could not check the pages of the database", { error });
    }
  };
  observe(run(), log, "the check of the database's pages could not be run");
  return { findings: () => checks };
};
