/**
 * Checks every commit of job slots: each slot gets one fate, together with its message, and keeps
 * it.
 */
import type { Change, CommitResult, Row } from "@hearth/warden/memory-warden";
import type { Complain } from "./far-side.ts";
import type { Timeline } from "./timeline.ts";

type SlotRow = Row<"job_slots">;

/** A slot row as it was first written, and its end. */
export interface SeenSlot {
  readonly row: SlotRow;
  /** The number of the commit that stored the row, and when it became durable. */
  readonly batch: number;
  readonly at: number;
  /** The message that it fired. */
  readonly message: string | undefined;
  end: { readonly at: number; readonly endedAt: number; readonly fate: string } | undefined;
}

export interface JobWatch {
  committed(change: Change, result: CommitResult): void;
  readonly seen: readonly SeenSlot[];
}

/** How many days an ended slot is kept at least. The config of the house says so. */
export const JOB_DAYS = 40;
const JOB_DAYS_MS = JOB_DAYS * 24 * 60 * 60_000;

export const createJobWatch = (options: {
  readonly timeline: Timeline;
  readonly wall: () => number;
  readonly complain: Complain;
}): JobWatch => {
  const { timeline, wall, complain } = options;
  const seen: SeenSlot[] = [];
  let batches = 0;

  const isOf = ({ row }: SeenSlot, slot: Pick<SlotRow, "agent" | "job">): boolean =>
    row.agent === slot.agent && row.job === slot.job;

  const begin = (row: SlotRow, message: string | undefined): void => {
    const name = nameOf(row);
    if (row.reason === "") complain("I4", `${name} is ${row.fate} without a reason`);
    if (row.slot > (row.fired_at ?? row.ended_at ?? 0) && row.by_hand === 0)
      complain("I4", `${name} got its fate before it was due`);
    if (row.fate === "fired" && message === undefined) complain("I4", `${name} fired without a message`);
    const other = seen.find(
      (slot) =>
        isOf(slot, row) &&
        slot.row.by_hand === row.by_hand &&
        slot.row.slot <= row.through &&
        row.slot <= slot.row.through,
    );
    if (other !== undefined) complain("I4", `${name} is ${row.fate}, but was already ${other.row.fate}`);
    seen.push({ ...{ row, batch: batches, at: timeline.now(), message }, end: undefined });
  };

  const change = (where: object, set: Partial<SlotRow>): void => {
    const slot = seen.find(({ row }) =>
      Object.entries(where).every(([key, value]) => key === "ended_at" || row[key as keyof SlotRow] === value),
    );
    if (slot === undefined) return complain("I4", `a slot ended that never fired: ${JSON.stringify(where)}`);
    if (slot.end !== undefined || slot.row.ended_at !== null) complain("I4", `${nameOf(slot.row)} ended twice`);
    slot.end = { at: timeline.now(), endedAt: set.ended_at ?? 0, fate: set.fate ?? slot.row.fate };
  };

  /**
   * Slots are deleted when they are old. Slots of the future that did not run are deleted after the
   * clock was set back, because they are due again.
   */
  const remove = (where: object): void => {
    const { ended_at: endedAt }: Partial<SlotRow> = where;
    if (typeof endedAt === "number" && endedAt <= wall() - JOB_DAYS_MS) return;
    const index = seen.findIndex(({ row }) =>
      Object.entries(where).every(([key, value]) => row[key as keyof SlotRow] === value),
    );
    const row = seen[index]?.row;
    const isDueAgain = row !== undefined && row.slot > wall() && row.activation === null;
    if (isDueAgain) seen.splice(index, 1);
    else complain("I4", `slots were deleted: ${JSON.stringify(where)}`);
  };

  return {
    seen,
    committed({ writes }, result) {
      if (result.kind !== "committed") return;
      const messages = writes.flatMap((write) => {
        if (write.kind !== "append" || write.event.type !== "message" || !write.event.body?.includes('"job":'))
          return [];
        return result.appended.some(({ id, kind }) => id === write.event.id && kind === "appended")
          ? [write.event.id]
          : [];
      });
      const own = writes.filter((write) => write.kind !== "append" && write.table === "job_slots");
      if (messages.length === 0 && own.length === 0) return;
      batches += 1;
      let fired = 0;
      for (const write of own) {
        if (write.kind === "delete") remove(write.where);
        else if (write.kind === "update") change(write.where, write.set);
        else begin(write.row, write.row.activation === null ? undefined : messages[fired++]);
      }
      if (messages.length !== fired)
        complain("I4", `a commit has ${messages.length} messages of jobs for ${fired} fired slots`);
    },
  };
};

export const nameOf = ({ job, slot, through, by_hand }: SlotRow): string =>
  `${by_hand === 1 ? "a run by hand of " : ""}the job ${job} at ${new Date(slot).toISOString()}${through === slot ? "" : ` to ${new Date(through).toISOString()}`}`;
