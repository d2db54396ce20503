/** What streams hold. Durable events are facts in the past; stream parts (deltas) are noun-action. */
import { z } from "zod";
import { budgetSpans, SpendLimit } from "./budget.ts";
import type { Compacted, CompactionFailed } from "./compaction.ts";
import { ErrorBody } from "./error-schema.ts";
import { HoldScope } from "./hold.ts";
import { ActivationId, AgentId, ApprovalId, ChangeId, EventId, HouseId, KeyId, RoomId } from "./ids.ts";
import { InboxMessage } from "./inbox.ts";
import { JobContext, JobName } from "./job.ts";
import { Label } from "./label.ts";
import { Level, Place } from "./permission.ts";
import { HearthRecord } from "./record.ts";
import { Usage } from "./model.ts";

/** Longest message text, in UTF-16 code units. */
export const MAX_MESSAGE_LENGTH = 200_000;

const at = z.int().describe("UTC milliseconds");

const body = z.object({ format: z.literal("markdown"), text: z.string() });

/** What someone said in a room. */
export const MessageEvent = z.object({
  type: z.literal("message"),
  room: RoomId,
  author: AgentId,
  at,
  body,
  /** Agents whose @handle stands in the text. */
  mentions: z.array(AgentId),
  /** The messages that this one answers. */
  causes: z.array(EventId),
  replyTo: EventId.optional(),
  /** The idempotency key that it was posted with: by it a sender knows its own. */
  key: z.string().optional(),
  /** The activation that wrote it, if a bot did. */
  activation: ActivationId.optional(),
  /** How many tools that activation called. Absent: none. */
  toolCalls: z.int().positive().optional(),
  /** The job that asked it, in the name of its author: for the agent that it mentions alone. */
  job: z
    .object({
      name: JobName,
      context: JobContext,
      /** How much of the text, in UTF-16 code units, is the job's own prompt; the rest came by its webhook. Absent: all of it, or nobody can say. */
      promptLength: z.int().nonnegative().exactOptional(),
      /** Of a heartbeat: what stands in the room after this offset is new to it. */
      after: z.int().nonnegative().exactOptional(),
    })
    .exactOptional(),
  /** What it was written from, where that was not the house's own. Absent: it counts as its author does. */
  label: Label.exactOptional(),
});

/** From here on the message says this. Its first event stays as it was. */
export const MessageEdited = z.object({
  type: z.literal("message-edited"),
  room: RoomId,
  by: AgentId,
  at,
  message: EventId,
  body,
});

/** From here on nobody is shown the message, and no agent is given it. */
export const MessageDeleted = z.object({
  type: z.literal("message-deleted"),
  room: RoomId,
  by: AgentId,
  at,
  message: EventId,
});

/** An agent waits for a person's word about a call. What it would do is for those who decide alone. */
export const ApprovalAsked = z.object({
  type: z.literal("approval-asked"),
  room: RoomId,
  at,
  approval: ApprovalId,
  agent: AgentId,
  activation: ActivationId,
  /** What it would call. */
  tool: z.string(),
  /** Who is asked. Absent: whoever decides in the agent's house. */
  person: AgentId.optional(),
});

/** The word was given, or did not come in time. */
export const ApprovalDecided = z.object({
  type: z.literal("approval-decided"),
  room: RoomId,
  at,
  approval: ApprovalId,
  agent: AgentId,
  activation: ActivationId,
  decision: z.enum(["allowed", "denied", "expired"]),
  by: AgentId.optional(),
});

/** An agent could not answer: why, and which activation a person may retry. */
export const ActivationFailed = z.object({
  type: z.literal("activation-failed"),
  room: RoomId,
  at,
  agent: AgentId,
  activation: ActivationId,
  /** The messages that were not answered. */
  causes: z.array(EventId),
  error: ErrorBody,
});

/**
 * `direct`: said in a room of two. `mention`: its handle was named. `ambient`: talk that may concern it. `wake`: the author's every word
 * wakes. `inbox`: another agent asked or delegated. `job`: a job of its own was due.
 * `heartbeat`: it was time to look at what its HEARTBEAT.md lists.
 */
export const Trigger = z.enum(["direct", "mention", "ambient", "wake", "inbox", "job", "heartbeat"]);
export type Trigger = z.infer<typeof Trigger>;

/**
 * `queued → running → (waiting → queued …) → replied | skipped | failed | stopped`. `waiting`: for a person's decision; meanwhile the
 * agent answers what else is said.
 */
export const ActivationState = z.enum(["queued", "running", "waiting", "replied", "skipped", "failed", "stopped"]);
export type ActivationState = z.infer<typeof ActivationState>;

/**
 * Why an activation was skipped before anything of it began, which stands in the activation log alone: `cooldown`, it spoke a moment ago;
 * `relevance`, the talk does not concern it; `dedup`, a later message stands for it; `admission`, the author may not wake it; `permission`,
 * it may not speak there; `depth` and `replies`, bots have answered bots for long enough; `budget`, it has spent what it may.
 */
export const SkipReason = z.enum([
  "cooldown",
  "relevance",
  "dedup",
  "admission",
  "permission",
  "depth",
  "replies",
  "budget",
]);
export type SkipReason = z.infer<typeof SkipReason>;

export const ActivationStarted = z.object({
  type: z.literal("activation-started"),
  at,
  activation: ActivationId,
  agent: AgentId,
  room: RoomId,
  trigger: Trigger,
  cause: EventId,
});
export const ActivationEnded = z.object({
  type: z.literal("activation-ended"),
  at,
  activation: ActivationId,
  agent: AgentId,
  room: RoomId,
  state: ActivationState,
  /** Why it ended so, in words a person can read. */
  reason: z.string().optional(),
  error: ErrorBody.optional(),
  /** The activation that took in its message and answers it too. */
  mergedInto: ActivationId.optional(),
  usage: Usage,
});

export const RecordChanged = z.object({
  type: z.literal("record-changed"),
  at,
  by: AgentId,
  change: z.enum(["created", "updated", "removed"]),
  record: HearthRecord,
});
export const KeyCreated = z.object({
  type: z.literal("key-created"),
  at,
  by: AgentId,
  key: KeyId,
  agent: AgentId,
  name: z.string(),
});
export const KeyRevoked = z.object({ type: z.literal("key-revoked"), at, by: AgentId, key: KeyId });
/** Somebody was given a level on a place, another one, or none any more. */
export const GrantChanged = z.object({
  type: z.literal("grant-changed"),
  at,
  by: AgentId,
  agent: AgentId,
  on: Place,
  level: Level.optional(),
});
/** A secret came, got another value, went, or was given to an agent or taken away from one. Never says what it is. */
export const SecretChanged = z.object({
  type: z.literal("secret-changed"),
  at,
  by: AgentId,
  on: HouseId,
  name: z.string(),
  change: z.enum(["set", "rotated", "removed", "granted", "revoked"]),
  /** Whom it was given to or taken from, and for where. */
  agent: AgentId.optional(),
  host: z.string().optional(),
});
/** A message of one agent to another was put into an inbox, or its status changed. */
export const InboxChanged = z.object({ type: z.literal("inbox-changed"), at, message: InboxMessage });
/** A file of the agent's brain is another one: written by it or a person, edited by hand, undone, or erased. */
export const MemoryWritten = z.object({
  type: z.literal("memory-written"),
  at,
  agent: AgentId,
  change: ChangeId,
  path: z.string(),
  /** SHA-256 of what the file holds. Absent: it is gone. */
  hash: z.string().exactOptional(),
  /** The activation that wrote it. Absent: none did. */
  activation: ActivationId.exactOptional(),
});
/** A slot of a job was due, or a person asked for it: the agent is asked in this room. */
export const JobFired = z.object({
  type: z.literal("job-fired"),
  at,
  agent: AgentId,
  job: JobName,
  /** When it was due. */
  slot: z.int(),
  room: RoomId,
  message: EventId,
});
/** Something that happened here and is not for this reader. Never stored. */
export const HiddenEvent = z.object({ type: z.literal("hidden"), at });
/** What one append put into a stream of bytes, or one message of a JSON stream. */
export const ChunkEvent = z.object({
  type: z.literal("chunk"),
  at,
  /** `utf8`: `data` is the bytes as text. */
  encoding: z.enum(["utf8", "base64"]),
  data: z.string(),
});
/** Somebody said STOP, or resume. */
export const HoldChanged = z.object({
  type: z.literal("hold-changed"),
  at,
  by: AgentId,
  scope: HoldScope,
  isHeld: z.boolean(),
});

/** So much of a limit is spent. Told once for each part of it, in each of its days, months or turns. */
export const BudgetWarned = z.object({
  type: z.literal("budget-warned"),
  at,
  /** Whose limit it is. Absent: that of everything that the daemon spends. */
  agent: AgentId.optional(),
  per: z.enum(budgetSpans),
  /** The day, the month, or the activation whose turn it is. */
  period: z.string(),
  percent: z.int(),
  limit: SpendLimit,
  /** Of the same units. */
  spent: SpendLimit,
});

/** Parts of an activation's own stream, in memory: everything a reader may miss without losing anything. */
export const DeltaEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("round-start"), at, round: z.int() }),
  z.object({ type: z.literal("text-delta"), at, text: z.string() }),
  z.object({ type: z.literal("tool-start"), at, call: z.string(), name: z.string(), input: z.json() }),
  z.object({
    type: z.literal("tool-end"),
    at,
    call: z.string(),
    name: z.string(),
    failed: z.boolean(),
    output: z.string(),
    durationMs: z.number(),
  }),
  /** It goes on in another cell: what its readers were shown so far comes again. */
  z.object({ type: z.literal("restart"), at }),
  /** The last event of every deltas stream. */
  z.object({ type: z.literal("end"), at, state: ActivationState, error: ErrorBody.optional() }),
]);

/** Parts of a room's `live:` stream, in memory. */
export const LiveEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("activation-queued"),
    at,
    activation: ActivationId,
    agent: AgentId,
    cause: EventId,
    /** It failed for a reason that may pass: when it is tried again, UTC milliseconds. */
    retryAt: z.int().optional(),
    error: ErrorBody.optional(),
  }),
  z.object({ type: z.literal("activation-running"), at, activation: ActivationId, agent: AgentId, cause: EventId }),
  /** It waits for a person's decision. */
  z.object({ type: z.literal("activation-waiting"), at, activation: ActivationId, agent: AgentId, cause: EventId }),
  z.object({
    type: z.literal("activation-over"),
    at,
    activation: ActivationId,
    agent: AgentId,
    state: ActivationState,
    error: ErrorBody.optional(),
    mergedInto: ActivationId.optional(),
  }),
]);

export type MessageEvent = z.infer<typeof MessageEvent>;
export type MessageEdited = z.infer<typeof MessageEdited>;
export type MessageDeleted = z.infer<typeof MessageDeleted>;
export type ApprovalAsked = z.infer<typeof ApprovalAsked>;
export type ApprovalDecided = z.infer<typeof ApprovalDecided>;
export type ActivationFailed = z.infer<typeof ActivationFailed>;
export type ActivationStarted = z.infer<typeof ActivationStarted>;
export type ActivationEnded = z.infer<typeof ActivationEnded>;
export type RecordChanged = z.infer<typeof RecordChanged>;
export type GrantChanged = z.infer<typeof GrantChanged>;
export type InboxChanged = z.infer<typeof InboxChanged>;
export type MemoryWritten = z.infer<typeof MemoryWritten>;
export type JobFired = z.infer<typeof JobFired>;
export type HiddenEvent = z.infer<typeof HiddenEvent>;
export type ChunkEvent = z.infer<typeof ChunkEvent>;
export type HoldChanged = z.infer<typeof HoldChanged>;
export type BudgetWarned = z.infer<typeof BudgetWarned>;
export type DeltaEvent = z.infer<typeof DeltaEvent>;
export type LiveEvent = z.infer<typeof LiveEvent>;
export type RoomEvent = MessageEvent | MessageEdited | MessageDeleted | ApprovalAsked | ApprovalDecided | ActivationFailed;
export type AgentLogEvent =
  | ActivationStarted
  | ActivationEnded
  | InboxChanged
  | MemoryWritten
  | JobFired
  | Compacted
  | CompactionFailed;
export type HouseLogEvent =
  | RecordChanged
  | GrantChanged
  | HoldChanged
  | BudgetWarned
  | z.infer<typeof KeyCreated>
  | z.infer<typeof KeyRevoked>
  | z.infer<typeof SecretChanged>;
export type AnyEvent = RoomEvent | AgentLogEvent | HouseLogEvent | HiddenEvent | ChunkEvent | DeltaEvent | LiveEvent;
