/** Converts jobs and slots between rows, file and API. */
import { type Json, readJson, writeJson, readReplyRoute, type Row } from "../../kernel/index.ts";
import { type Job, type JobSlot, JobContext, JobName, JobSchedule, CatchUp } from "@hearth/protocol";
import { z } from "zod";
import type { JobFileEntry } from "./jobs-file.ts";
import { describe } from "./terms.ts";

export type JobRow = Row<"jobs">;
export type SlotRow = Row<"job_slots">;

/** Identifies a job. */
export type JobIdentity = Pick<JobRow, "agent" | "name">;

/** Reports that the job's next due time has changed. */
export type OnRescheduled = (job: JobIdentity & Pick<JobRow, "next_at">) => void;

/** The reason of a single instant that had passed when the file was read. */
export const PASSED_BEFORE_READ = "Its time had passed before the job was added or resumed.";
export type JobDefinition = Omit<JobFileEntry, "lines">;

const StoredDefinition = z.object({
  name: JobName,
  prompt: z.string(),
  schedule: JobSchedule,
  context: JobContext,
  room: z.string().exactOptional(),
  until: z.int().exactOptional(),
  catchUp: CatchUp,
  paused: z.boolean(),
  hook: z.literal(true).exactOptional(),
});

export const readDefinition = (row: Pick<JobRow, "terms">): JobDefinition =>
  StoredDefinition.parse(readJson(row.terms));

/** Writes the fields in a fixed order, so that equal definitions are equal texts. */
export const writeDefinition = (terms: JobDefinition): Json<JobDefinition> => writeJson(StoredDefinition.parse(terms));

export const toSlot = (row: SlotRow): JobSlot => ({
  slot: row.slot,
  through: row.through,
  count: row.count,
  byHand: row.by_hand === 1,
  fate: row.fate,
  reason: row.reason,
  ...(row.fired_at === null ? {} : { firedAt: row.fired_at }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  ...(row.activation === null ? {} : { activation: row.activation }),
  ...(row.result === null ? {} : { result: row.result }),
});

/**
 * Converts a row. `zone` is the time zone in which a single instant is shown. `path` is the
 * webhook's path.
 */
export const toJob = (row: JobRow, lastSlot: SlotRow | undefined, zone: string, path: string | undefined): Job => {
  const { name, prompt, schedule, context, room, until, catchUp, hook } = readDefinition(row);
  const route = readReplyRoute(row.way);
  return {
    agent: row.agent,
    name,
    prompt,
    schedule,
    understood: describe(schedule, zone),
    context,
    catchUp,
    owner: row.owner,
    status: row.status,
    failures: row.failures,
    ...(room === undefined ? {} : { room }),
    ...(route === undefined ? {} : { channel: route.channel }),
    ...(until === undefined ? {} : { until }),
    ...(hook === undefined || path === undefined ? {} : { hook: path }),
    ...(row.next_at === null ? {} : { next: row.next_at }),
    ...(lastSlot === undefined ? {} : { last: toSlot(lastSlot) }),
  };
};
