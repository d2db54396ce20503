/**
 * Plans a job's next slot by the present clock. A slot is identified by its instant, so a slot that
 * ran is never planned again, even if the clock was set back to before it.
 */
import type { Store, Write } from "../../kernel/index.ts";
import type { JobIdentity, SlotRow } from "./rows.ts";
import type { SlotOutcome } from "./time/catch-up.ts";
import type { Slots } from "./time/slots.ts";

/** Largest step of the wall clock that counts as a correction by a time server. */
export const CORRECTION_MS = 5000;

export interface Plan {
  readonly next: number | undefined;
  /**
   * The writes that remove the fates of future slots that did not run. They belong in the commit
   * that stores `next`.
   */
  readonly writes: readonly Write[];
}

type SlotRange = Pick<SlotRow, "slot" | "through">;

/**
 * Returns the first slot after `now` without a fate. A future slot has a fate only if the clock was
 * set back. It keeps the fate if it ran, or if the clock moved no further than a usual correction.
 * Otherwise it is due again at its time.
 */
export const planNext = async (
  store: Pick<Store, "select">,
  job: JobIdentity,
  slots: Slots,
  now: number,
): Promise<Plan> => {
  const [lastSlot, laterRows] = await Promise.all([lastRow(store, job, now), rowsAfter(store, job, now)]);
  const rows = lastSlot === undefined || lastSlot.through <= now ? laterRows : [lastSlot, ...laterRows];
  const from = now + CORRECTION_MS;
  const writes: Write[] = [];
  const keptRows: SlotRange[] = [];
  for (const row of rows) {
    const where = { agent: row.agent, job: row.job, slot: row.slot, by_hand: 0 } as const;
    if (hasRun(row) || row.through <= from) keptRows.push(row);
    else if (row.slot > from) writes.push({ kind: "delete", table: "job_slots", where });
    else {
      const futureSlots = truncateAt(row, slots, from);
      keptRows.push(futureSlots);
      if (futureSlots !== row)
        writes.push({
          kind: "update",
          table: "job_slots",
          where,
          set: { through: futureSlots.through, count: futureSlots.count },
        });
    }
  }
  return { next: excludeRanges(slots, keptRows).next(now), writes };
};

/**
 * Creates the search for slots of a job that have no fate yet. Normally these are all slots from
 * its next one on.
 */
export const createFreeSlots = async (
  store: Pick<Store, "select">,
  job: JobIdentity,
  slots: Slots,
  firstSlot: number,
): Promise<{ readonly free: Slots; split(run: SlotOutcome): readonly SlotOutcome[] }> => {
  const existingRows = await rowsAfter(store, job, firstSlot - 1);
  const free = excludeRanges(slots, existingRows);
  return {
    free,
    /**
     * Splits a run of slots at those that already have a fate, because rows of one job never
     * overlap.
     */
    split(run) {
      if (!existingRows.some(({ slot }) => slot > run.slot && slot < run.through)) return [run];
      const parts: SlotOutcome[] = [];
      for (let slot: number | undefined = run.slot; slot !== undefined && slot <= run.through; slot = free.next(slot)) {
        const part = parts.at(-1);
        const isNext = existingRows.every((row) => part === undefined || row.slot < part.through || row.slot > slot);
        if (part !== undefined && isNext) parts.splice(-1, 1, { ...part, through: slot, count: part.count + 1 });
        else parts.push({ ...run, slot, through: slot, count: 1 });
      }
      return parts;
    },
  };
};

/**
 * Returns the rows of a job's schedule after the instant, oldest first. Normally there are no such
 * rows.
 */
const rowsAfter = (
  store: Pick<Store, "select">,
  { agent, name: job }: JobIdentity,
  at: number,
): Promise<readonly SlotRow[]> =>
  store.select({
    table: "job_slots",
    where: { agent, job, by_hand: 0 },
    and: [{ column: "slot", is: ">", value: at }],
    order: [{ column: "slot" }],
  });

/** Returns the last row of a job's schedule that begins at the instant or before. */
export const lastRow = async (
  store: Pick<Store, "select">,
  { agent, name: job }: JobIdentity,
  by = Number.MAX_SAFE_INTEGER,
): Promise<SlotRow | undefined> => {
  const [row] = await store.select({
    table: "job_slots",
    where: { agent, job, by_hand: 0 },
    and: [{ column: "slot", is: "<=", value: by }],
    order: [{ column: "slot", descending: true }],
    limit: 1,
  });
  return row;
};

const hasRun = ({ fate, activation }: SlotRow): boolean =>
  activation !== null || fate === "fired" || fate === "failed" || fate === "stopped";

/**
 * Shortens a row to its slots up to `end`. A row whose slots do not fit the present schedule is
 * returned unchanged, because its slots are unknown.
 */
const truncateAt = (row: SlotRow, slots: Slots, end: number): SlotRow => {
  let [through, count, wholeCount] = [row.slot, 0, 0];
  let slot: number | undefined = row.slot;
  for (; slot !== undefined && slot < row.through; slot = slots.next(slot), wholeCount += 1)
    if (slot <= end) [through, count] = [slot, wholeCount + 1];
  return slot === row.through && wholeCount + 1 === row.count ? { ...row, through, count } : row;
};

const excludeRanges = (slots: Slots, ranges: readonly SlotRange[]): Slots => ({
  next(after) {
    let slot = slots.next(after);
    for (const range of ranges)
      if (slot !== undefined && slot >= range.slot && slot <= range.through) slot = slots.next(range.through);
    return slot;
  },
});
