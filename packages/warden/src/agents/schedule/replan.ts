/** Plans jobs again whose next slot was planned while the clock was ahead. */
import type { Store } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";
import { planNext } from "./next-slot.ts";
import { backOffMs } from "./notices.ts";
import { type JobRow, termsOf } from "./rows.ts";
import { MAX_CONFLICTS } from "./time/catch-up.ts";
import type { createSlotsOf } from "./time/slots.ts";

export interface ReplanOptions {
  readonly clock: Pick<Clock, "now">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  readonly moved: (row: Pick<JobRow, "agent" | "name" | "next_at">) => void;
}

/**
 * Returns a function that plans every job again which has an earlier slot than its stored next one,
 * by the present clock, and returns their number. Slots that ran are left out.
 */
export const createReplan = ({ clock, store, slotsOf, moved }: ReplanOptions): (() => Promise<number>) => {
  /** Returns whether the job was planned again; undefined if the row has changed meanwhile. */
  const replan = async (row: JobRow): Promise<boolean | undefined> => {
    // An active row without a slot is unreadable in its file.
    const isPlanned = row.status === "over" || (row.status === "active" && row.next_at !== null);
    if (!isPlanned) return false;
    const { schedule, until } = termsOf(row);
    const slots = slotsOf(schedule, until);
    const now = clock.now();
    const end = row.next_at ?? Infinity;
    // Without a query for almost every job.
    if ((slots.next(now) ?? Infinity) >= end) return false;
    const { next = Infinity, writes } = await planNext(store, row, slots, now);
    if (next >= end) return false;
    const fresh: JobRow = {
      ...row,
      status: "active",
      next_at: next,
      not_before: Math.min(row.not_before, now + backOffMs(row.failures)),
      version: row.version + 1,
    };
    const where = { agent: row.agent, name: row.name };
    const { kind } = await store.commit({
      guards: [{ kind: "exists", table: "jobs", where: { ...where, version: row.version } }],
      writes: [{ kind: "put", table: "jobs", row: fresh }, ...writes],
    });
    if (kind !== "committed") return undefined;
    moved(fresh);
    return true;
  };

  const replanJob = async (first: JobRow): Promise<boolean> => {
    const { agent, name } = first;
    let row: JobRow | undefined = first;
    for (let tries = 0; tries < MAX_CONFLICTS && row !== undefined; tries += 1) {
      const isMoved = await replan(row);
      if (isMoved !== undefined) return isMoved;
      [row] = await store.select({ table: "jobs", where: { agent, name } });
    }
    if (row === undefined) return false;
    throw new Error(`The job ${name} of ${agent} could not be written: ${MAX_CONFLICTS} conflicts in a row`);
  };

  return async () => {
    let count = 0;
    for (const row of await store.select({ table: "jobs" })) if (await replanJob(row)) count += 1;
    return count;
  };
};
