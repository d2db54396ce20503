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
  readonly settle: (row: JobRow) => Promise<unknown>;
  /** Reports that the job's next due time has changed. */
  readonly moved: (row: Pick<JobRow, "agent" | "name" | "next_at">) => void;
}

export const createJobRows = ({ world, store, slotsOf, settle, moved }: JobRowsOptions): JobRows => {
  const isDue = ({ next_at }: JobRow): boolean => next_at !== null && next_at <= world.clock.now();

  /** Returns the last slot that has a fate. */
  const lastOf = async (agent: AgentId, name: string): Promise<number> =>
    (await lastRow(store, { agent, name }))?.through ?? -Infinity;

  const planOf = (agent: AgentId, { name, schedule, until }: JobDefinition): Promise<Plan> =>
    planNext(store, { agent, name }, slotsOf(schedule, until), world.clock.now());

  const commit = async (fresh: JobRow, row: JobRow | undefined, ...writes: Write[]): Promise<boolean> => {
    const where = { agent: fresh.agent, name: fresh.name };
    const { kind } = await store.commit({
      guards: [
        row === undefined
          ? { kind: "absent", table: "jobs", where }
          : { kind: "exists", table: "jobs", where: { ...where, version: row.version } },
      ],
      writes,
    });
    if (kind === "committed") moved(fresh);
    return kind === "committed";
  };

  const put: JobRows["put"] = async (agent, terms, labels, row, { owner, way }) => {
    // Slots that were due before the edit are decided by the old definition.
    if (row !== undefined && isDue(row)) {
      await settle(row);
      return false;
    }
    const old = row === undefined ? undefined : readDefinition(row);
    const isSame = old !== undefined && old.paused === terms.paused && keepsTime(old, terms) && row?.next_at !== null;
    const last = isSame ? -Infinity : await lastOf(agent, terms.name);
    const late = row === undefined ? missedOnce(terms, last, world.clock.now()) : undefined;
    const plan = isSame || late !== undefined ? undefined : await planOf(agent, terms);
    const next = isSame ? row?.next_at : (late ?? plan?.next);
    const resumes = old?.paused === true && !terms.paused;
    const status = statusOf(terms, next ?? undefined, resumes ? undefined : row);
    const fresh: JobRow = {
      agent,
      name: terms.name,
      owner,
      terms: writeDefinition(terms),
      labels,
      status,
      next_at: status === "active" ? (next ?? null) : null,
      failures: resumes ? 0 : (row?.failures ?? 0),
      not_before: resumes ? 0 : (row?.not_before ?? 0),
      version: (row?.version ?? 0) + 1,
      created_at: row?.created_at ?? world.clock.now(),
      way,
    };
    const isUnread = status === "over" && !isSame && terms.schedule.kind === "once" && terms.schedule.at > last;
    const slots = isUnread ? unread(fresh, terms, world.clock.now()) : [];
    return commit(fresh, row, { kind: "put", table: "jobs", row: fresh }, ...(plan?.writes ?? []), ...slots);
  };

  const drop: JobRows["drop"] = async (row, isBroken) => {
    if (isDue(row)) {
      await settle(row);
      return false;
    }
    const where = { agent: row.agent, name: row.name };
    const gone = { ...row, next_at: null, version: row.version + 1 };
    return commit(
      gone,
      row,
      isBroken ? { kind: "put", table: "jobs", row: gone } : { kind: "delete", table: "jobs", where },
    );
  };

  return {
    put,
    drop,
    async resume(agent, name) {
      const [row] = await store.select({ table: "jobs", where: { agent, name, status: "halted" } });
      if (row === undefined) return;
      const { next = null, writes } = await planOf(agent, readDefinition(row));
      const fresh: JobRow = {
        ...row,
        status: next === null ? "over" : "active",
        next_at: next,
        failures: 0,
        not_before: 0,
        version: row.version + 1,
      };
      await commit(fresh, row, { kind: "put", table: "jobs", row: fresh }, ...writes);
    },
  };
};

/**
 * Returns the writes that record a single instant as missed, because it had passed too long before
 * the file was read.
 */
const unread = ({ agent, name, way }: JobRow, { schedule }: JobDefinition, now: number): readonly Write[] => {
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

const keepsTime = (one: JobDefinition, other: JobDefinition): boolean =>
  JSON.stringify([one.schedule, one.until]) === JSON.stringify([other.schedule, other.until]);

const statusOf = (terms: JobDefinition, next: number | undefined, row: JobRow | undefined): JobStatus => {
  if (terms.paused) return "paused";
  if (row?.status === "halted") return "halted";
  return next === undefined ? "over" : "active";
};
