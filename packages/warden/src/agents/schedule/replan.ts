/** Plans jobs again if their next slot was planned while the clock was ahead. */
import type { Log, Store } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";
import { planNext } from "./next-slot.ts";
import { backOffMs } from "./notices.ts";
import { type JobRow, readDefinition, type OnRescheduled } from "./rows.ts";
import { MAX_CONFLICTS } from "./time/catch-up.ts";
import type { createSlotsOf } from "./time/slots.ts";

export interface ReplanOptions {
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly store: Pick<Store, "select" | "commit">;
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  readonly onRescheduled: OnRescheduled;
}

/**
 * Plans each job again by the present clock if it has a slot before its stored next one. Slots that
 * ran are left out. Writes one log line each time.
 */
export interface Replan {
  /**
   * Plans the jobs again after the clock was set back while no daemon ran. Reports the next slots
   * of all jobs, and returns their rows.
   */
  atStart(): Promise<readonly JobRow[]>;
  /**
   * Plans the jobs again after a step of the clock while the daemon runs. A step of 0 changes
   * nothing. Reports the next slots of all jobs.
   */
  afterClockJump(byMs: number): Promise<void>;
}

const REPLAN_MESSAGE =
  "jobs were planned again from the present time, and no slot runs twice (see Jobs in docs/brain.md)";

export const createReplan = ({ clock, log, store, slotsOf, onRescheduled }: ReplanOptions): Replan => {
  /** Returns whether the job was planned again, or undefined if the row has changed. */
  const replan = async (row: JobRow): Promise<boolean | undefined> => {
    // An active row without a slot belongs to a job that is unreadable in its file.
    const isPlanned = row.status === "over" || (row.status === "active" && row.next_at !== null);
    if (!isPlanned) return false;
    const { schedule, until } = readDefinition(row);
    const slots = slotsOf(schedule, until);
    const now = clock.now();
    const end = row.next_at ?? Infinity;
    // Almost every job needs no query.
    if ((slots.next(now) ?? Infinity) >= end) return false;
    const { next = Infinity, writes } = await planNext(store, row, slots, now);
    if (next >= end) return false;
    const newRow: JobRow = {
      ...row,
      status: "active",
      next_at: next,
      not_before: Math.min(row.not_before, now + backOffMs(row.failures)),
      version: row.version + 1,
    };
    const where = { agent: row.agent, name: row.name };
    const { kind } = await store.commit({
      guards: [{ kind: "exists", table: "jobs", where: { ...where, version: row.version } }],
      writes: [{ kind: "put", table: "jobs", row: newRow }, ...writes],
    });
    return kind === "committed" ? true : undefined;
  };

  const replanJob = async (initialRow: JobRow): Promise<boolean> => {
    const { agent, name } = initialRow;
    let row: JobRow | undefined = initialRow;
    for (let tries = 0; tries < MAX_CONFLICTS && row !== undefined; tries += 1) {
      const isReplanned = await replan(row);
      if (isReplanned !== undefined) return isReplanned;
      [row] = await store.select({ table: "jobs", where: { agent, name } });
    }
    if (row === undefined) return false;
    throw new Error(`The job ${name} of ${agent} could not be written: ${MAX_CONFLICTS} conflicts in a row`);
  };

  /**
   * Plans all jobs again and reports the next slot of each job, because another daemon may have
   * planned it first.
   */
  const replanAll = async (): Promise<{ readonly count: number; readonly rows: readonly JobRow[] }> => {
    let count = 0;
    for (const row of await store.select({ table: "jobs" })) if (await replanJob(row)) count += 1;
    const rows = await store.select({ table: "jobs" });
    for (const row of rows) onRescheduled(row);
    return { count, rows };
  };

  return {
    async atStart() {
      const { count, rows } = await replanAll();
      if (count > 0)
        log.write("warn", `the wall clock was set back while no daemon ran; ${REPLAN_MESSAGE}`, { jobs: count });
      return rows;
    },
    async afterClockJump(byMs) {
      if (byMs > 0)
        log.write("warn", "the wall clock was set, or the machine slept; missed slots are caught up", { byMs });
      if (byMs >= 0) return;
      const { count } = await replanAll();
      log.write("warn", `the wall clock was set back; ${REPLAN_MESSAGE}`, { byMs, jobs: count });
    },
  };
};
