/** Jobs: what an agent does by itself at set times. `cron/jobs.toml` of its brain is the truth; what is here is how they cross the port. */
import { z } from "zod";
import { ActivationId, AgentId, EventId, JobHookId } from "./ids.ts";

export const MAX_JOB_PROMPT = 20_000;
/** Shorter ones would be a loop, not a schedule. */
export const MIN_JOB_INTERVAL_MS = 10_000;

const UNITS = { s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A span of time as people write it, such as "30s", "15m" or "1h30m", in milliseconds; nothing for a text that is none. */
export const readSpan = (text: string): number | undefined => {
  const whole = text.replaceAll(" ", "");
  const parts = [...whole.matchAll(/(\d{1,6})(min|[smhdw])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== whole) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0);
};

/** Lower case letters, digits and dashes: it stands in the file as the name of a table. */
export const JobName = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "takes 1 to 64 of a-z, 0-9 and -");

/** `isolated`: it starts from its prompt alone. `main`: it also has what was said in its room. */
export const JobContext = z.enum(["isolated", "main"]);
export type JobContext = z.infer<typeof JobContext>;

/** What becomes of slots that passed while nobody could fire them. `once`: the last of them fires. `all`: each, up to a bound. `skip`: none. */
export const CatchUp = z.enum(["once", "all", "skip"]);
export type CatchUp = z.infer<typeof CatchUp>;

/** Instants are UTC milliseconds. */
export const JobSchedule = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("cron"), cron: z.string(), zone: z.string() }),
  /** Counted from `from`, which is no slot itself. */
  z.object({ kind: z.literal("every"), everyMs: z.int().min(MIN_JOB_INTERVAL_MS), from: z.int() }),
  z.object({ kind: z.literal("once"), at: z.int() }),
]);
export type JobSchedule = z.infer<typeof JobSchedule>;

/**
 * The one thing that became of a slot. `fired`: the agent was woken; without an end it is still at it. `failed`, `stopped`: it was woken
 * and did not get to the end. `merged`: another slot fired for it. `missed`: nobody was there in time. `skipped`: a rule kept it from firing.
 */
export const SlotFate = z.enum(["fired", "skipped", "merged", "missed", "failed", "stopped"]);
export type SlotFate = z.infer<typeof SlotFate>;

export const JobSlot = z.object({
  slot: z.int(),
  /** The last of a run of slots with one fate, and how many they are. One slot: the same again, and 1. */
  through: z.int(),
  count: z.int().positive(),
  fate: SlotFate,
  reason: z.string(),
  /** Whether a person or a webhook asked for it, beside the schedule. */
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

/** `halted`: it failed too often in a row, and waits for `resume`. `over`: no slot is left. */
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
  /** As the file names it. Absent: the direct room of its owner and the agent. */
  room: z.string().exactOptional(),
  /** Where it was asked for, and is answered beside the room. Absent: in the house. */
  channel: z.string().exactOptional(),
  until: z.int().exactOptional(),
  catchUp: CatchUp,
  /** In whose name it asks. */
  owner: AgentId,
  status: JobStatus,
  /** The path that its webhook is called at. Absent: it has none. */
  hook: z.string().exactOptional(),
  next: z.int().exactOptional(),
  /** Slots that failed since one did not. */
  failures: z.int(),
  last: JobSlot.exactOptional(),
});
export type Job = z.infer<typeof Job>;

/** What of the file is no job, and why. The others run. */
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

/** Exactly one of the four. `when` is a phrase, such as "every weekday at 9". */
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
});
export type AddJob = z.infer<typeof AddJob>;

/** What is left out stays; `null` takes it away. */
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

/** When something would be due. As `AddJob` says it. */
export const PreviewJob = z.strictObject({ ...times, zone: text.optional(), until: text.optional() });
export type PreviewJob = z.infer<typeof PreviewJob>;

/** What was understood, and the slots that come first: none where it is over already. */
export const JobPreview = z.object({ schedule: JobSchedule, understood: z.string(), next: z.array(z.int()) });
export type JobPreview = z.infer<typeof JobPreview>;

/** What a webhook may bring, in bytes. */
export const MAX_HOOK_BODY = 64 * 1024;
/** How far the clock of whoever calls a webhook may be off. */
export const HOOK_TOLERANCE_MS = 5 * 60_000;

/** What whoever calls a job's webhook is told, once: the key is never shown again. */
export const JobHook = z.object({
  id: JobHookId,
  /** Where it is called, on whatever address leads to this house. */
  path: z.string(),
  /** As Standard Webhooks has it: `whsec_` and the key in base64. */
  secret: z.string(),
});
export type JobHook = z.infer<typeof JobHook>;

/** What a webhook is answered: the slot that it fired. The same `webhook-id` is answered the same. */
export const JobHookTaken = z.object({ slot: z.int() });
export type JobHookTaken = z.infer<typeof JobHookTaken>;
