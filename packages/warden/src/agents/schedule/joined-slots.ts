/**
 * Joins consecutive slots that were skipped for one reason into one row, because a heartbeat may
 * skip many slots a day.
 */
import type { Store, Write } from "../../kernel/index.ts";
import type { SlotRow, JobIdentity } from "./rows.ts";

/**
 * Returns the writes for slots of one job, in order. The commit must guard the job's version, so
 * that no other writer adds slots at the same time.
 */
export const joinSkipped = async (
  store: Pick<Store, "select">,
  { agent, name: job }: JobIdentity,
  slots: readonly SlotRow[],
): Promise<readonly Write[]> => {
  const [firstSlot, ...laterSlots] = slots;
  if (firstSlot === undefined) return [];
  const [previousRow] = await store.select({
    table: "job_slots",
    where: { agent, job, by_hand: 0 },
    limit: 1,
    and: [{ column: "slot", is: "<", value: firstSlot.slot }],
    order: [{ column: "slot", descending: true }],
  });
  const joinsPrevious =
    previousRow !== undefined &&
    JOINED_FATES.has(firstSlot.fate) &&
    previousRow.fate === firstSlot.fate &&
    previousRow.reason === firstSlot.reason;
  const insert = (row: SlotRow): Write => ({ kind: "insert", table: "job_slots", row });
  if (!joinsPrevious || firstSlot.by_hand === 1) return slots.map(insert);
  const where = { agent, job, slot: previousRow.slot, by_hand: 0 } as const;
  const set = {
    through: firstSlot.through,
    count: previousRow.count + firstSlot.count,
    ended_at: firstSlot.ended_at,
  };
  return [{ kind: "update", table: "job_slots", where, set }, ...laterSlots.map(insert)];
};

const JOINED_FATES: ReadonlySet<string> = new Set(["skipped", "merged"]);
