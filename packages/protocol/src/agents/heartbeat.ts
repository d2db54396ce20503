/**
 * Heartbeats: an agent regularly checks the list in its `HEARTBEAT.md` and writes if there is
 * something to report.
 */
import { z } from "zod";
import { SpendLimit } from "../policy/budget.ts";
import { MIN_JOB_INTERVAL_MS, parseDuration } from "./job.ts";

/** The job name of heartbeats, which the agent's record configures. Jobs in files cannot have this name. */
export const HEARTBEAT = "heartbeat";

/**
 * Whether a job is its agent's heartbeat. Only the reserved name decides this: in a row, in the API
 * and in the mark of a message.
 */
export const isHeartbeat = ({ name }: { readonly name: string }): boolean => name === HEARTBEAT;

/** Whether a message is the prompt of a heartbeat, which is not part of the room's conversation. */
export const isHeartbeatPrompt = ({ job }: { readonly job?: { readonly name: string } }): boolean =>
  job !== undefined && isHeartbeat(job);

/** The answer of an agent that has nothing to report. */
export const HEARTBEAT_OK = "HEARTBEAT_OK";

/** Whether an answer to a heartbeat is empty or only `HEARTBEAT_OK`. */
export const isEmptyHeartbeat = (text: string): boolean =>
  text.replace(/[\s`*"'.!]/gu, "").replace(HEARTBEAT_OK, "") === "";

const TimeOfDay = (pattern: RegExp) => z.string().regex(pattern, 'must be a time of day such as "08:00"');

/**
 * The hours in which heartbeats run, in the agent's time zone. If `from` is later than `to`, they
 * span midnight.
 */
export const ActiveHours = z
  .strictObject({
    from: TimeOfDay(/^([01]\d|2[0-3]):[0-5]\d$/),
    to: TimeOfDay(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/),
  })
  .refine(({ from, to }) => from !== to, "must not end when it begins: leave the hours out for the whole day");
export type ActiveHours = z.infer<typeof ActiveHours>;

export const Heartbeat = z.strictObject({
  /** An interval such as "30m" or "2h". */
  every: z
    .string()
    .max(100)
    .refine((text) => parseDuration(text) !== undefined, "is not an interval such as 30m, 2h or 1d")
    .refine(
      (text) => (parseDuration(text) ?? MIN_JOB_INTERVAL_MS) >= MIN_JOB_INTERVAL_MS,
      `is too short: the minimum is ${MIN_JOB_INTERVAL_MS / 1000}s`,
    ),
  /** Absent if heartbeats run at any time. */
  hours: ActiveHours.optional(),
  /**
   * Daily limit of heartbeats, in addition to the agent's budget. Absent if only the agent's budget
   * applies.
   */
  budget: SpendLimit.optional(),
  /** The room for reports, by handle or id. Absent for the direct room with the person who decides. */
  room: z.string().min(1).max(200).optional(),
  /**
   * Whether heartbeats also run when nothing is new. Lists about time, or about sources outside the
   * house, need this.
   */
  always: z.boolean().optional(),
});
export type Heartbeat = z.infer<typeof Heartbeat>;
