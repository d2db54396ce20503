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
  const [first, ...others] = slots;
  if (first === undefined) return [];
  const [last] = await store.select({
    table: "job_slots",
    where: { agent, job, by_hand: 0 },
    limit: 1,
    and: [{ column: "slot", is: "<", value: first.slot }],
    order: [{ column: "slot", descending: true }],
  });
  const joinsLast =
    last !== undefined && JOINED_FATES.has(first.fate) && last.fate === first.fate && last.reason === first.reason;
  const insert = (row: SlotRow): Write => ({ kind: "insert", table: "job_slots", row });
  if (!joinsLast || first.by_hand === 1) return slots.map(insert);
  const where = { agent, job, slot: last.slot, by_hand: 0 } as const;
  const set = { through: first.through, count: last.count + first.count, ended_at: first.ended_at };
  return [{ kind: "update", table: "job_slots", where, set }, ...others.map(insert)];
};

const JOINED_FATES: ReadonlySet<string> = new Set(["skipped", "merged"]);
