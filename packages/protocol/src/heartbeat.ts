/** Heartbeats: every so often an agent looks by itself at what `HEARTBEAT.md` of its brain lists, and speaks where there is something to say. */
import { z } from "zod";
import { SpendLimit } from "./budget.ts";
import { MIN_JOB_INTERVAL_MS, readSpan } from "./job.ts";

/** The job that a heartbeat is. It stands in the agent's record, and no job of a file has its name. */
export const HEARTBEAT = "heartbeat";
/** What an agent answers that has nothing to say. */
export const HEARTBEAT_OK = "HEARTBEAT_OK";

/** Whether an answer to a heartbeat says nothing: it is empty, or the word for that and nothing else. */
export const saysNothing = (text: string): boolean => text.replace(/[\s`*"'.!]/gu, "").replace(HEARTBEAT_OK, "") === "";

const Clock = (pattern: RegExp) => z.string().regex(pattern, 'takes a time of the day such as "08:00"');

/** When it may look, in the agent's time zone. From the evening to the morning where `from` is the later one. */
export const ActiveHours = z
  .strictObject({
    from: Clock(/^([01]\d|2[0-3]):[0-5]\d$/),
    to: Clock(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/),
  })
  .refine(({ from, to }) => from !== to, "begins when it ends: leave the hours out for the whole day");
export type ActiveHours = z.infer<typeof ActiveHours>;

export const Heartbeat = z.strictObject({
  /** "30m", "2h". */
  every: z
    .string()
    .max(100)
    .refine((text) => readSpan(text) !== undefined, "is no interval: such as 30m, 2h or 1d")
    .refine(
      (text) => (readSpan(text) ?? MIN_JOB_INTERVAL_MS) >= MIN_JOB_INTERVAL_MS,
      `is too short: it looks every ${MIN_JOB_INTERVAL_MS / 1000}s at most`,
    ),
  /** Absent: at any time. */
  hours: ActiveHours.optional(),
  /** What its heartbeats may spend in a day, beside what the agent may. Absent: as much as the agent. */
  budget: SpendLimit.optional(),
  /** Where it says what there is to say, by handle or id. Absent: the direct room of the person who decides. */
  room: z.string().min(1).max(200).optional(),
  /** Whether it also looks when nothing is new: for lists that are about the time, or what is outside of the house. */
  always: z.boolean().optional(),
});
export type Heartbeat = z.infer<typeof Heartbeat>;
