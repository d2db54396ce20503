/**
 * Stores the jobs of a brain's `cron/jobs.toml` as rows. Reads the file when it changes and
 * compares it job by job.
 */
import { writeJson } from "../../kernel/index.ts";
import type { Permissions, Records } from "../../people/index.ts";
import { type AgentId, type AgentRecord, joinLabels, type JobMistake, type Label, OWNER_LABEL } from "@hearth/protocol";
import { createNamedQueues } from "@hearth/protocol/serial-queue";
import type { Brain } from "../brains/brain.ts";
import type { Brains } from "../brains/brains.ts";
import { MAX_CONFLICTS } from "./time/catch-up.ts";
import { JOBS_PATH, type JobFileEntry, readJobs } from "./jobs-file.ts";
import { traitsOf } from "./job-traits.ts";
import { createJobRows, type JobRowsOptions } from "./job-rows.ts";
import { createOrigins } from "./origin.ts";
import { type JobRow, writeDefinition, type JobDefinition, readDefinition } from "./rows.ts";

export interface JobsFileSyncOptions extends JobRowsOptions {
  readonly records: Pick<Records, "find" | "get">;
  readonly permissions: Pick<Permissions, "list">;
  readonly brains: Pick<Brains, "open">;
}

export interface JobsFileSync {
  /**
   * Makes the rows match the file, and returns the file's errors. Costs one stat if the file is
   * unchanged.
   */
  sync(agent: AgentRecord): Promise<readonly JobMistake[]>;
  /** Resumes a halted job. */
  resume(agent: AgentId, name: string): Promise<void>;
  /** Removes the rows of a deleted agent. */
  forget(agent: AgentId): Promise<void>;
}

interface LastRead {
  readonly lines: readonly unknown[] | undefined;
  readonly zone: string;
  readonly mistakes: readonly JobMistake[];
}

export const createJobsFileSync = (options: JobsFileSyncOptions): JobsFileSync => {
  const { world, store, records, brains, onRescheduled } = options;
  const lastReads = new Map<AgentId, LastRead>();
  /** One queue per agent, because two comparisons at once would see each other's rows. */
  const enqueue = createNamedQueues<AgentId>();
  const origins = createOrigins(options);
  const rows = createJobRows(options);

  const sync = async (agent: AgentRecord): Promise<readonly JobMistake[]> => {
    const brain = await brains.open(agent);
    const zone = agent.content.timezone ?? (await records.get("house", agent.house)).content.timezone;
    const lines = await brain.readLabelled(JOBS_PATH);
    const previous = lastReads.get(agent.id);
    if (previous !== undefined && previous.lines === lines && previous.zone === zone) return previous.mistakes;
    const { jobs, mistakes } = readJobs((lines ?? []).map(({ text }) => text).join("\n"), zone);
    const labelOf = ({ lines: [from, to] }: JobFileEntry): Label =>
      (lines ?? []).slice(from - 1, to).reduce((label, line) => joinLabels(label, line.label), OWNER_LABEL);
    for (let attempt = 0; ; attempt += 1) {
      if (
        await write(
          agent,
          brain,
          jobs.map((job) => ({ job, label: labelOf(job) })),
          mistakes,
        )
      )
        break;
      if (attempt === MAX_CONFLICTS)
        throw new Error(`The jobs of ${agent.id} could not be written: ${MAX_CONFLICTS} conflicts in a row`);
    }
    lastReads.set(agent.id, { lines, zone, mistakes });
    return mistakes;
  };

  /** Returns false if a row has changed. */
  const write = async (
    agent: AgentRecord,
    brain: Brain,
    jobs: readonly { readonly job: JobFileEntry; readonly label: Label }[],
    mistakes: readonly JobMistake[],
  ): Promise<boolean> => {
    const existingRows = new Map(
      (await store.select({ table: "jobs", where: { agent: agent.id } }))
        .filter((row) => traitsOf(row).settings === "file")
        .map((row) => [row.name, row]),
    );
    for (const { job, label } of jobs) {
      const { lines: _, ...definition } = job;
      const row = existingRows.get(job.name);
      existingRows.delete(job.name);
      const terms = addStart(definition, row, world.clock.now());
      const labels = label.integrity === "owner" && label.readers === "anyone" ? null : writeJson(label);
      // An active row without a due time belongs to a job that was unreadable for a while.
      const isKept = row !== undefined && (row.next_at !== null || row.status !== "active");
      if (isKept && row.terms === writeDefinition(terms) && row.labels === labels) {
        // Another daemon may have created the row.
        onRescheduled(row);
        continue;
      }
      const origin = await origins.find(agent, brain, terms, row);
      if (!(await rows.put(agent.id, terms, labels, row, origin))) return false;
    }
    for (const row of existingRows.values()) {
      // An unreadable job keeps its row until it can be read again. Until then no slot of it is
      // due.
      const isBroken = mistakes.some(({ name }) => name === row.name);
      if (isBroken && row.next_at === null) continue;
      if (!(await rows.drop(row, isBroken))) return false;
    }
    return true;
  };

  return {
    sync: (agent) => enqueue(agent.id, () => sync(agent)),
    resume: rows.resume,
    async forget(agent) {
      lastReads.delete(agent);
      for (const row of await store.select({ table: "jobs", where: { agent } }))
        onRescheduled({ ...row, next_at: null });
      await store.commit({ writes: [{ kind: "delete", table: "jobs", where: { agent } }] });
    },
  };
};

/** Sets the start of an interval that has none: the time at which the interval was first seen. */
const addStart = (terms: JobDefinition, row: JobRow | undefined, now: number): JobDefinition => {
  const { schedule } = terms;
  if (schedule.kind !== "every" || schedule.from !== 0) return terms;
  const previous = row === undefined ? undefined : readDefinition(row).schedule;
  const isSame = previous?.kind === "every" && previous.everyMs === schedule.everyMs;
  return { ...terms, schedule: { ...schedule, from: isSame ? previous.from : now } };
};
