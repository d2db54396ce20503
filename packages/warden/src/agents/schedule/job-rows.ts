/**
 * Changes the rows of jobs to match the file. Due slots are first decided by the old definition.
 */
import type { Store, Write } from "../../kernel/index.ts";
import type { AgentId, JobStatus, World } from "@hearth/protocol";
import { lastRow, type Plan, planNext } from "./next-slot.ts";
import {
  type JobRow,
  writeDefinition,
  type SlotRow,
  type JobDefinition,
  readDefinition,
  PASSED_BEFORE_READ,
  type OnRescheduled,
} from "./rows.ts";
import type { createSlotsOf } from "./time/slots.ts";

export interface JobRows {
  /** Writes the job's row in place of `row`. Returns false if the row has changed meanwhile. */
  put(
    agent: AgentId,
    terms: JobDefinition,
    labels: JobRow["labels"],
    row: JobRow | undefined,
    origin: Pick<JobRow, "owner" | "way">,
  ): Promise<boolean>;
  /**
   * Removes the row. The row of a job that cannot be read at present stays and only loses its
   * next slot. Returns false if the row has changed meanwhile.
   */
  drop(row: JobRow, isBroken: boolean): Promise<boolean>;
  /** Resumes a halted job. */
  resume(agent: AgentId, name: string): Promise<void>;
}

export interface JobRowsOptions {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  /** Decides the due slots by the definition that was valid until now. */
  readonly decideDueSlots: (row: JobRow) => Promise<unknown>;
  readonly onRescheduled: OnRescheduled;
}

export const createJobRows = ({ world, store, slotsOf, decideDueSlots, onRescheduled }: JobRowsOptions): JobRows => {
  const isDue = ({ next_at }: JobRow): boolean => next_at !== null && next_at <= world.clock.now();

  /** Returns the last slot that has a fate. */
  const lastDecidedSlot = async (agent: AgentId, name: string): Promise<number> =>
    (await lastRow(store, { agent, name }))?.through ?? -Infinity;

  const planOf = (agent: AgentId, { name, schedule, until }: JobDefinition): Promise<Plan> =>
    planNext(store, { agent, name }, slotsOf(schedule, until), world.clock.now());

  const commit = async (newRow: JobRow, row: JobRow | undefined, ...writes: Write[]): Promise<boolean> => {
    const where = { agent: newRow.agent, name: newRow.name };
    const { kind } = await store.commit({
      guards: [
        row === undefined
          ? { kind: "absent", table: "jobs", where }
          : { kind: "exists", table: "jobs", where: { ...where, version: row.version } },
      ],
      writes,
    });
    if (kind === "committed") onRescheduled(newRow);
    return kind === "committed";
  };

  const put: JobRows["put"] = async (agent, terms, labels, row, { owner, way }) => {
    // Slots that were due before the edit are decided by the old definition.
    if (row !== undefined && isDue(row)) {
      await decideDueSlots(row);
      return false;
    }
    const oldDefinition = row === undefined ? undefined : readDefinition(row);
    const isSame =
      oldDefinition !== undefined &&
      oldDefinition.paused === terms.paused &&
      hasSameTimes(oldDefinition, terms) &&
      row?.next_at !== null;
    const lastSlot = isSame ? -Infinity : await lastDecidedSlot(agent, terms.name);
    const missedInstant = row === undefined ? missedOnce(terms, lastSlot, world.clock.now()) : undefined;
    const plan = isSame || missedInstant !== undefined ? undefined : await planOf(agent, terms);
    const nextSlot = isSame ? row?.next_at : (missedInstant ?? plan?.next);
    const isResumed = oldDefinition?.paused === true && !terms.paused;
    const status = statusOf(terms, nextSlot ?? undefined, isResumed ? undefined : row);
    const newRow: JobRow = {
      agent,
      name: terms.name,
      owner,
      terms: writeDefinition(terms),
      labels,
      status,
      next_at: status === "active" ? (nextSlot ?? null) : null,
      failures: isResumed ? 0 : (row?.failures ?? 0),
      not_before: isResumed ? 0 : (row?.not_before ?? 0),
      version: (row?.version ?? 0) + 1,
      created_at: row?.created_at ?? world.clock.now(),
      way,
    };
    const isMissed = status === "over" && !isSame && terms.schedule.kind === "once" && terms.schedule.at > lastSlot;
    const slots = isMissed ? planMissedSlot(newRow, terms, world.clock.now()) : [];
    return commit(newRow, row, { kind: "put", table: "jobs", row: newRow }, ...(plan?.writes ?? []), ...slots);
  };

  const drop: JobRows["drop"] = async (row, isBroken) => {
    if (isDue(row)) {
      await decideDueSlots(row);
      return false;
    }
    const where = { agent: row.agent, name: row.name };
    const withoutSlot = { ...row, next_at: null, version: row.version + 1 };
    return commit(
      withoutSlot,
      row,
      isBroken ? { kind: "put", table: "jobs", row: withoutSlot } : { kind: "delete", table: "jobs", where },
    );
  };

  return {
    put,
    drop,
    async resume(agent, name) {
      const [row] = await store.select({ table: "jobs", where: { agent, name, status: "halted" } });
      if (row === undefined) return;
      const { next = null, writes } = await planOf(agent, readDefinition(row));
      const newRow: JobRow = {
        ...row,
        status: next === null ? "over" : "active",
        next_at: next,
        failures: 0,
        not_before: 0,
        version: row.version + 1,
      };
      await commit(newRow, row, { kind: "put", table: "jobs", row: newRow }, ...writes);
    },
  };
};

/**
 * Returns the writes that record a single instant as missed, because it had passed too long before
 * the file was read.
 */
const planMissedSlot = ({ agent, name, way }: JobRow, { schedule }: JobDefinition, now: number): readonly Write[] => {
  if (schedule.kind !== "once" || schedule.at > now) return [];
  const row: SlotRow = {
    agent,
    job: name,
    slot: schedule.at,
    through: schedule.at,
    by_hand: 0,
    count: 1,
    fate: "missed",
    reason: PASSED_BEFORE_READ,
    fired_at: null,
    ended_at: now,
    activation: null,
    result: null,
    way,
  };
  return [{ kind: "insert", table: "job_slots", row }];
};

/** Maximum age of a single instant. An older instant never fires. */
const MAX_LATE_MS = 24 * 60 * 60_000;

/**
 * Returns a single instant that passed before a daemon read it. It is due, and the job's catch-up
 * rule decides its fate.
 */
const missedOnce = ({ schedule, paused }: JobDefinition, last: number, now: number): number | undefined => {
  if (schedule.kind !== "once" || paused) return undefined;
  const { at } = schedule;
  return at > last && at <= now && now - at <= MAX_LATE_MS ? at : undefined;
};

const hasSameTimes = (a: JobDefinition, b: JobDefinition): boolean =>
  JSON.stringify([a.schedule, a.until]) === JSON.stringify([b.schedule, b.until]);

const statusOf = (terms: JobDefinition, next: number | undefined, row: JobRow | undefined): JobStatus => {
  if (terms.paused) return "paused";
  if (row?.status === "halted") return "halted";
  return next === undefined ? "over" : "active";
};
