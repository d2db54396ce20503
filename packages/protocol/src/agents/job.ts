/**
 * API types of jobs: prompts that an agent runs on a schedule. The source of truth is
 * `cron/jobs.toml` in the agent's brain.
 */
import { z } from "zod";
import { ActivationId, AgentId, EventId, JobHookId } from "../base/ids.ts";

export const MAX_JOB_PROMPT = 20_000;
/** Minimum interval between two runs. */
export const MIN_JOB_INTERVAL_MS = 10_000;

const UNITS = { s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Parses a time span such as "30s", "15m" or "1h30m". Returns milliseconds, or undefined if the
 * text is not a span.
 */
export const parseDuration = (text: string): number | undefined => {
  const compactText = text.replaceAll(" ", "");
  const parts = [...compactText.matchAll(/(\d{1,6})(min|[smhdw])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== compactText) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0);
};

/** The name of a job: lower-case letters, digits and dashes, because it is a table name in the file. */
export const JobName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "must be 1 to 64 characters of a-z, 0-9 and -");

/** `isolated`: the prompt is the only input. `main`: the room's history is included. */
export const JobContext = z.enum(["isolated", "main"]);
export type JobContext = z.infer<typeof JobContext>;

/**
 * What happens to slots that were missed while the daemon was not running. `once`: the last one
 * fires. `all`: each one fires, up to a limit. `skip`: none fires.
 */
export const CatchUp = z.enum(["once", "all", "skip"]);
export type CatchUp = z.infer<typeof CatchUp>;

/** Instants are UTC milliseconds. */
export const JobSchedule = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("cron"), cron: z.string(), zone: z.string() }),
  /** The slots are counted from `from`, which is not a slot itself. */
  z.object({ kind: z.literal("every"), everyMs: z.int().min(MIN_JOB_INTERVAL_MS), from: z.int() }),
  z.object({ kind: z.literal("once"), at: z.int() }),
]);
export type JobSchedule = z.infer<typeof JobSchedule>;

/**
 * The outcome of a slot. `fired`: the agent was woken; without `endedAt` it is still running.
 * `failed`, `stopped`: the activation did not finish. `merged`: another slot fired instead.
 * `missed`: the daemon was not running in time. `skipped`: a rule prevented it.
 */
export const SlotFate = z.enum(["fired", "skipped", "merged", "missed", "failed", "stopped"]);
export type SlotFate = z.infer<typeof SlotFate>;

export const JobSlot = z.object({
  slot: z.int(),
  /**
   * The last of consecutive slots with the same fate. `count` is their number. For one slot, they
   * are `slot` and 1.
   */
  through: z.int(),
  count: z.int().positive(),
  fate: SlotFate,
  reason: z.string(),
  /** Whether a person or a webhook started the job outside its schedule. */
  byHand: z.boolean(),
  firedAt: z.int().exactOptional(),
  endedAt: z.int().exactOptional(),
  activation: ActivationId.exactOptional(),
  /** The reply. */
  result: EventId.exactOptional(),
});
export type JobSlot = z.infer<typeof JobSlot>;
export const JobSlotList = z.array(JobSlot);
export const JobSlotQuery = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(50) });
export type JobSlotQuery = z.infer<typeof JobSlotQuery>;

/** `halted`: the job had too many consecutive failures and waits for `resume`. `over`: no slots remain. */
export const JobStatus = z.enum(["active", "paused", "halted", "over"]);
export type JobStatus = z.infer<typeof JobStatus>;

export const Job = z.object({
  agent: AgentId,
  name: JobName,
  prompt: z.string(),
  schedule: JobSchedule,
  /** The schedule in words. */
  understood: z.string(),
  context: JobContext,
  /** The room as written in the file. Absent for the direct room of the owner and the agent. */
  room: z.string().exactOptional(),
  /**
   * The channel where the job was requested. Replies go there and to the room. Absent if it was
   * requested in the house.
   */
  channel: z.string().exactOptional(),
  until: z.int().exactOptional(),
  catchUp: CatchUp,
  /** The person on whose behalf the job runs. */
  owner: AgentId,
  status: JobStatus,
  /** The path of the job's webhook, if it has one. */
  hook: z.string().exactOptional(),
  next: z.int().exactOptional(),
  /** Number of consecutive failed slots. */
  failures: z.int(),
  last: JobSlot.exactOptional(),
});
export type Job = z.infer<typeof Job>;

/** An invalid entry of the file, and why. The other jobs run. */
export const JobMistake = z.object({ line: z.int().positive(), name: z.string().exactOptional(), message: z.string() });
export type JobMistake = z.infer<typeof JobMistake>;

export const JobList = z.object({ jobs: z.array(Job), mistakes: z.array(JobMistake) });
export type JobList = z.infer<typeof JobList>;

const text = z.string().min(1).max(200);
const prompt = z
  .string()
  .min(1)
  .max(MAX_JOB_PROMPT)
  .refine((value) => value.isWellFormed(), "is not well-formed Unicode");

/** Exactly one of the four is set. `when` is a phrase, such as "every weekday at 9". */
const times = { cron: text.optional(), every: text.optional(), once: text.optional(), when: text.optional() };

export const AddJob = z.strictObject({
  name: JobName,
  prompt,
  ...times,
  zone: text.optional(),
  context: JobContext.optional(),
  room: text.optional(),
  until: text.optional(),
  catchUp: CatchUp.optional(),
  /** Adds the job as paused, so that no slot runs before a person resumes it. */
  paused: z.boolean().optional(),
});
export type AddJob = z.infer<typeof AddJob>;

/** Absent fields are unchanged; `null` removes a field. */
export const PatchJob = z.strictObject({
  prompt: prompt.optional(),
  ...times,
  zone: text.nullable().optional(),
  context: JobContext.optional(),
  room: text.nullable().optional(),
  until: text.nullable().optional(),
  catchUp: CatchUp.optional(),
  paused: z.boolean().optional(),
});
export type PatchJob = z.infer<typeof PatchJob>;

/** A schedule to preview, in the form of `AddJob`. */
export const PreviewJob = z.strictObject({ ...times, zone: text.optional(), until: text.optional() });
export type PreviewJob = z.infer<typeof PreviewJob>;

/** The parsed schedule and its first slots. `next` is empty if the schedule is over. */
export const JobPreview = z.object({ schedule: JobSchedule, understood: z.string(), next: z.array(z.int()) });
export type JobPreview = z.infer<typeof JobPreview>;

/** Maximum size of a webhook body, in bytes. */
export const MAX_HOOK_BODY = 64 * 1024;
/** Maximum clock difference of a webhook's caller. */
export const HOOK_TOLERANCE_MS = 5 * 60_000;

/** A job's webhook, as returned at its creation. The secret is never shown again. */
export const JobHook = z.object({
  id: JobHookId,
  /** The path under any address of this house. */
  path: z.string(),
  /** In the format of Standard Webhooks: `whsec_` and the key in base64. */
  secret: z.string(),
});
export type JobHook = z.infer<typeof JobHook>;

/** The answer to a webhook call: the slot that the call fired. A repeated `webhook-id` gets the same answer. */
export const JobHookTaken = z.object({ slot: z.int() });
export type JobHookTaken = z.infer<typeof JobHookTaken>;
