/**
 * Mirrors `cron/jobs.toml` of a brain as rows: reads it when it changes and compares job by job.
 */
import { writeJson, writeReplyRoute, type Store, type Write } from "../../kernel/index.ts";
import type { Permissions, Records } from "../../people/index.ts";
import {
  type AgentId,
  type AgentRecord,
  joinLabels,
  type JobMistake,
  type JobStatus,
  type Label,
  OWN,
  type World,
} from "@hearth/protocol";
import type { Brain } from "../brains/brain.ts";
import type { Brains } from "../brains/brains.ts";
import { MAX_CONFLICTS } from "./time/catch-up.ts";
import { JOBS_PATH, type JobTerms, readJobs } from "./jobs-file.ts";
import { traitsOf } from "./job-traits.ts";
import { lastRow, type Plan, planNext } from "./next-slot.ts";
import { createOrigins, type Origin } from "./origin.ts";
import { type JobRow, keepTerms, type SlotRow, type Terms, termsOf, UNREAD } from "./rows.ts";
import type { createSlotsOf } from "./time/slots.ts";

export interface MirrorOptions {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  readonly records: Pick<Records, "find" | "get">;
  readonly permissions: Pick<Permissions, "list">;
  readonly brains: Pick<Brains, "open">;
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  /** Decides due slots by the terms valid until now. */
  readonly settle: (row: JobRow) => Promise<unknown>;
  /** Reports that the job's next due time has changed. */
  readonly moved: (row: Pick<JobRow, "agent" | "name" | "next_at">) => void;
}

export interface Mirror {
  /**
   * Makes the rows match the file, and returns its errors. Costs one stat if the file is unchanged.
   */
  sync(agent: AgentRecord): Promise<readonly JobMistake[]>;
  /** Resumes a halted job. */
  resume(agent: AgentId, name: string): Promise<void>;
  /** Removes the rows of a deleted agent. */
  forget(agent: AgentId): Promise<void>;
}

interface Seen {
  readonly lines: readonly unknown[] | undefined;
  readonly zone: string;
  readonly mistakes: readonly JobMistake[];
}

export const createMirror = (options: MirrorOptions): Mirror => {
  const { world, store, records, brains, slotsOf, settle, moved } = options;
  const seen = new Map<AgentId, Seen>();
  const busy = new Map<AgentId, Promise<unknown>>();
  const origins = createOrigins(options);

  const sync = async (agent: AgentRecord): Promise<readonly JobMistake[]> => {
    const brain = await brains.open(agent);
    const zone = agent.content.timezone ?? (await records.get("house", agent.house)).content.timezone;
    const lines = await brain.readLabelled(JOBS_PATH);
    const before = seen.get(agent.id);
    if (before !== undefined && before.lines === lines && before.zone === zone) return before.mistakes;
    const { jobs, mistakes } = readJobs((lines ?? []).map(({ text }) => text).join("\n"), zone);
    const labelOf = ({ lines: [from, to] }: JobTerms): Label =>
      (lines ?? []).slice(from - 1, to).reduce((label, line) => joinLabels(label, line.label), OWN);
    for (let tries = 0; ; tries += 1) {
      if (
        await write(
          agent,
          brain,
          jobs.map((job) => ({ job, label: labelOf(job) })),
          mistakes,
        )
      )
        break;
      if (tries === MAX_CONFLICTS)
        throw new Error(`The jobs of ${agent.id} could not be written: ${MAX_CONFLICTS} conflicts in a row`);
    }
    seen.set(agent.id, { lines, zone, mistakes });
    return mistakes;
  };

  /** Returns false if a row has changed. */
  const write = async (
    agent: AgentRecord,
    brain: Brain,
    jobs: readonly { readonly job: JobTerms; readonly label: Label }[],
    mistakes: readonly JobMistake[],
  ): Promise<boolean> => {
    const rows = new Map(
      (await store.select({ table: "jobs", where: { agent: agent.id } }))
        .filter((row) => traitsOf(row).settings === "file")
        .map((row) => [row.name, row]),
    );
    for (const { job, label } of jobs) {
      const { lines: _, ...said } = job;
      const row = rows.get(job.name);
      rows.delete(job.name);
      const terms = anchored(said, row, world.clock.now());
      const labels = label.integrity === "owner" && label.readers === "anyone" ? null : writeJson(label);
      // An active row without a due time was unreadable for a while.
      const isKept = row !== undefined && (row.next_at !== null || row.status !== "active");
      if (isKept && row.terms === keepTerms(terms) && row.labels === labels) {
        // Another daemon may have created it.
        moved(row);
        continue;
      }
      const { owner, way } = await originOf(agent, brain, terms, row);
      if (!(await put(agent.id, terms, labels, row, { owner, way }))) return false;
    }
    for (const row of rows.values()) {
      // An unreadable job keeps its row until it can be read again. Until then nothing of it is
      // due.
      const isBroken = mistakes.some(({ name }) => name === row.name);
      if (isBroken && row.next_at === null) continue;
      if (!(await drop(row, isBroken))) return false;
    }
    return true;
  };

  const isDue = ({ next_at }: JobRow): boolean => next_at !== null && next_at <= world.clock.now();

  /** The last slot that has a fate. */
  const lastOf = async (agent: AgentId, name: string): Promise<number> =>
    (await lastRow(store, { agent, name }))?.through ?? -Infinity;

  const planOf = (agent: AgentId, { name, schedule, until }: Terms): Promise<Plan> =>
    planNext(store, { agent, name }, slotsOf(schedule, until), world.clock.now());

  const put = async (
    agent: AgentId,
    terms: Terms,
    labels: JobRow["labels"],
    row: JobRow | undefined,
    { owner, way }: Pick<JobRow, "owner" | "way">,
  ): Promise<boolean> => {
    // Slots due before the edit follow the old terms.
    if (row !== undefined && isDue(row)) {
      await settle(row);
      return false;
    }
    const old = row === undefined ? undefined : termsOf(row);
    const isSame = old !== undefined && old.paused === terms.paused && keepsTime(old, terms) && row?.next_at !== null;
    const last = isSame ? -Infinity : await lastOf(agent, terms.name);
    const late = row === undefined ? unreadOnce(terms, last, world.clock.now()) : undefined;
    const plan = isSame || late !== undefined ? undefined : await planOf(agent, terms);
    const next = isSame ? row?.next_at : (late ?? plan?.next);
    const resumes = old?.paused === true && !terms.paused;
    const status = statusOf(terms, next ?? undefined, resumes ? undefined : row);
    const fresh: JobRow = {
      ...{ agent, name: terms.name, owner, terms: keepTerms(terms), labels, status },
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

  const drop = async (row: JobRow, isBroken: boolean): Promise<boolean> => {
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

  /**
   * A new job belongs to the author of its change, and replies where it was requested. If the
   * prompt changes, the author of that change becomes the owner.
   */
  const originOf = async (
    agent: AgentRecord,
    brain: Brain,
    terms: Terms,
    row: JobRow | undefined,
  ): Promise<Pick<JobRow, "owner" | "way">> => {
    if (row === undefined) {
      const origin = (await origins.made(brain, terms.name)) ?? { ...(await origins.changed(brain)), way: undefined };
      return { owner: await ownerOf(agent, origin), way: writeReplyRoute(origin.way) };
    }
    if (asksSame(termsOf(row), terms)) return row;
    return { owner: await ownerOf(agent, await origins.changed(brain)), way: row.way };
  };

  /** Edits on disk belong to the house's administrator. */
  const ownerOf = async (agent: AgentRecord, { owner }: Pick<Origin, "owner">): Promise<AgentId> => {
    if (owner !== undefined) return owner;
    for (const grant of await options.permissions.list({ on: agent.house }))
      if (grant.level === "x" && (await records.find("agent", grant.agent))?.content.kind === "human")
        return grant.agent;
    throw new Error(`${agent.house} has no administrator`);
  };

  return {
    async sync(agent) {
      // Serialised: two concurrent comparisons would see each other's rows.
      const turn = (busy.get(agent.id) ?? Promise.resolve()).then(
        () => sync(agent),
        () => sync(agent),
      );
      busy.set(agent.id, turn);
      try {
        return await turn;
      } finally {
        if (busy.get(agent.id) === turn) busy.delete(agent.id);
      }
    },
    async resume(agent, name) {
      const [row] = await store.select({ table: "jobs", where: { agent, name, status: "halted" } });
      if (row === undefined) return;
      const { next = null, writes } = await planOf(agent, termsOf(row));
      const fresh: JobRow = {
        ...{ ...row, status: next === null ? "over" : "active", next_at: next, failures: 0, not_before: 0 },
        version: row.version + 1,
      };
      await commit(fresh, row, { kind: "put", table: "jobs", row: fresh }, ...writes);
    },
    async forget(agent) {
      seen.delete(agent);
      for (const row of await store.select({ table: "jobs", where: { agent } })) moved({ ...row, next_at: null });
      await store.commit({ writes: [{ kind: "delete", table: "jobs", where: { agent } }] });
    },
  };
};

/** An interval without a start counts from when it was first seen. */
const anchored = (terms: Terms, row: JobRow | undefined, now: number): Terms => {
  const { schedule } = terms;
  if (schedule.kind !== "every" || schedule.from !== 0) return terms;
  const before = row === undefined ? undefined : termsOf(row).schedule;
  const isSame = before?.kind === "every" && before.everyMs === schedule.everyMs;
  return { ...terms, schedule: { ...schedule, from: isSame ? before.from : now } };
};

/** Pausing or resuming does not change the owner. */
const asksSame = (one: Terms, other: Terms): boolean =>
  keepTerms({ ...one, paused: false }) === keepTerms({ ...other, paused: false });

/** Records a single instant that passed too long before the file was read. It is missed. */
const unread = ({ agent, name, way }: JobRow, { schedule }: Terms, now: number): readonly Write[] => {
  if (schedule.kind !== "once" || schedule.at > now) return [];
  const row: SlotRow = {
    agent,
    job: name,
    slot: schedule.at,
    through: schedule.at,
    by_hand: 0,
    count: 1,
    fate: "missed",
    reason: UNREAD,
    fired_at: null,
    ended_at: now,
    activation: null,
    result: null,
    way,
  };
  return [{ kind: "insert", table: "job_slots", row }];
};

/** A single instant further in the past never fires. */
const LONGEST_LATE_MS = 24 * 60 * 60_000;

/**
 * A single instant that passed before any daemon read it. It is due, and the job's catch-up rule
 * decides.
 */
const unreadOnce = ({ schedule, paused }: Terms, last: number, now: number): number | undefined => {
  if (schedule.kind !== "once" || paused) return undefined;
  const { at } = schedule;
  return at > last && at <= now && now - at <= LONGEST_LATE_MS ? at : undefined;
};

const keepsTime = (one: Terms, other: Terms): boolean =>
  JSON.stringify([one.schedule, one.until]) === JSON.stringify([other.schedule, other.until]);

const statusOf = (terms: Terms, next: number | undefined, row: JobRow | undefined): JobStatus => {
  if (terms.paused) return "paused";
  if (row?.status === "halted") return "halted";
  return next === undefined ? "over" : "active";
};
