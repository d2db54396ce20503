/**
 * Events of streams. A durable event is named as a fact in the past, such as `message-edited`. A part
 * of a live stream is named by a noun and an action, such as `tool-start`.
 */
import { z } from "zod";
import { budgetSpans, SpendLimit } from "../policy/budget.ts";
import type { Compacted, CompactionFailed } from "../agents/compaction.ts";
import { ErrorBody } from "../base/error-schema.ts";
import { Attachment, Citation, MAX_ATTACHMENTS, MAX_CITATIONS } from "./attachment.ts";
import { HoldScope } from "../policy/hold.ts";
import {
  ActivationId,
  AgentId,
  ApprovalId,
  ChangeId,
  EventId,
  HouseId,
  KeyId,
  RoomId,
  SessionId,
} from "../base/ids.ts";
import { InboxMessage } from "../agents/inbox.ts";
import { JobContext, JobName } from "../agents/job.ts";
import { Label } from "../policy/label.ts";
import { RoomView } from "../people/chat.ts";
import { LoginMethod } from "../people/credential.ts";
import { Level, Place, Right } from "../people/permission.ts";
import { HearthRecord } from "../people/record.ts";
import { SecretHolder } from "../policy/secret.ts";
import { Usage } from "../agents/model.ts";

/** Maximum length of a message text, in UTF-16 code units. */
export const MAX_MESSAGE_LENGTH = 200_000;

const at = z.int().describe("UTC milliseconds");

const body = z.object({ format: z.literal("markdown"), text: z.string() });

/** A message in a room. */
export const MessageEvent = z.object({
  type: z.literal("message"),
  room: RoomId,
  author: AgentId,
  at,
  body,
  /** Files of the message. Absent if it has no files. */
  attachments: z.array(Attachment).min(1).max(MAX_ATTACHMENTS).exactOptional(),
  /** The links of the text that lead to parts of files. Absent if the text has no such links. */
  citations: z.array(Citation).min(1).max(MAX_CITATIONS).exactOptional(),
  /** Agents whose @handle is in the text. */
  mentions: z.array(AgentId),
  /** The messages that this one answers. */
  causes: z.array(EventId),
  replyTo: EventId.optional(),
  /** The idempotency key of the post. Its sender recognizes its own message by it. */
  key: z.string().optional(),
  /** The activation that wrote it, if the author is a bot. */
  activation: ActivationId.optional(),
  /** The people who chose to hear replies such as this one. Only in direct rooms, and never empty. */
  spokenFor: z.array(AgentId).min(1).exactOptional(),
  /** Number of tools that the activation called. Absent if it called none. */
  toolCalls: z.int().positive().optional(),
  /**
   * The activation was stopped while writing: the text is incomplete, and no agent wakes because of
   * it.
   */
  stopped: z.literal(true).exactOptional(),
  /** The job that posted this on its author's behalf. Only the mentioned agent receives it. */
  job: z
    .object({
      name: JobName,
      context: JobContext,
      /**
       * Length of the job's own prompt in the text, in UTF-16 code units; the rest came from its
       * webhook. Absent: the whole text, or unknown.
       */
      promptLength: z.int().nonnegative().exactOptional(),
      /** For a heartbeat: messages after this offset in the room are new to it. */
      after: z.int().nonnegative().exactOptional(),
    })
    .exactOptional(),
  /** Provenance of the text. Absent if the author's label applies. */
  label: Label.exactOptional(),
  /** The original of this message, in the chat that was branched. A copy wakes no agent. */
  copied: z.object({ room: RoomId, message: EventId, offset: z.int().positive() }).exactOptional(),
  /**
   * The stored message cannot be read: the text is `DAMAGED_TEXT` and the author is
   * `UNKNOWN_AGENT`. Set when reading, never stored.
   */
  damaged: z.literal(true).exactOptional(),
});

/** The text of a message whose stored body is missing or damaged. */
export const DAMAGED_TEXT = "This message is damaged and cannot be shown.";

/** Replaces the text of a message. The original event is kept. */
export const MessageEdited = z.object({
  type: z.literal("message-edited"),
  room: RoomId,
  by: AgentId,
  at,
  message: EventId,
  body,
});

/** Hides a message from people and agents. */
export const MessageDeleted = z.object({
  type: z.literal("message-deleted"),
  room: RoomId,
  by: AgentId,
  at,
  message: EventId,
});

/** Maximum length of an emoji, in UTF-16 code units. Families and flags of regions are the longest. */
const MAX_EMOJI_LENGTH = 40;

/** Whether a text is exactly one emoji. */
export const isEmoji = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text);

/** One emoji that Unicode recommends for general interchange. Such a sequence cannot spell words. */
export const Emoji = z
  .string()
  .max(MAX_EMOJI_LENGTH)
  .refine(isEmoji, { message: "is not one emoji" })
  .describe("one emoji");

/** An agent added an emoji to a message, or removed it. The last event of an agent and emoji applies. */
export const MessageReacted = z.object({
  type: z.literal("message-reacted"),
  room: RoomId,
  by: AgentId,
  at,
  message: EventId,
  /** Empty after the message was forgotten. */
  emoji: z.union([Emoji, z.literal("")]),
  isOn: z.boolean(),
});

/**
 * An agent waits for a decision about a call. The arguments are visible only to those who may
 * decide.
 */
export const ApprovalAsked = z.object({
  type: z.literal("approval-asked"),
  room: RoomId,
  at,
  approval: ApprovalId,
  agent: AgentId,
  activation: ActivationId,
  /** The tool that it wants to call. */
  tool: z.string(),
  /** The person who is asked. Absent if every person who may decide in the agent's house is asked. */
  person: AgentId.optional(),
});

/** An approval was decided or expired. */
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

/** An agent could not answer: the error, and the activation that a person may retry. */
export const ActivationFailed = z.object({
  type: z.literal("activation-failed"),
  room: RoomId,
  at,
  agent: AgentId,
  activation: ActivationId,
  causes: z.array(EventId),
  error: ErrorBody,
});

/**
 * Why an agent woke. `direct`: a message in a room of two. `mention`: its handle. `ambient`: a
 * conversation that may concern it. `wake`: every message of this author wakes it. `inbox`: another
 * agent asked or delegated. `job`: one of its jobs was due. `heartbeat`: time to check its
 * HEARTBEAT.md.
 */
export const Trigger = z.enum(["direct", "mention", "ambient", "wake", "inbox", "job", "heartbeat"]);
export type Trigger = z.infer<typeof Trigger>;

/** Whether the schedule started the activation, and not a message. */
export const isScheduled = ({ trigger }: { readonly trigger: Trigger }): boolean =>
  trigger === "job" || trigger === "heartbeat";

/**
 * `queued → running → (waiting → queued …) → replied | skipped | failed | stopped`. `waiting`: for a
 * person's decision; meanwhile the agent answers other messages.
 */
export const ActivationState = z.enum(["queued", "running", "waiting", "replied", "skipped", "failed", "stopped"]);
export type ActivationState = z.infer<typeof ActivationState>;

/**
 * Why an activation was skipped before it started. Recorded only in the activation log.
 * - `cooldown`: the agent wrote a moment ago
 * - `relevance`: the conversation does not concern it
 * - `dedup`: a later message replaces this one
 * - `admission`: the author may not wake it
 * - `permission`: it may not write in the room
 * - `depth`, `replies`: a limit on bots that answer bots was reached
 * - `budget`: its budget is spent
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
  /** Why it ended in this state, as a sentence. */
  reason: z.string().optional(),
  error: ErrorBody.optional(),
  /** The activation that included the message of this one and answers it too. */
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
/** A person logged in. In the person's own log, so that their other devices show it. */
export const SessionBegan = z.object({
  type: z.literal("session-began"),
  at,
  by: AgentId,
  session: SessionId,
  /** The browser's User-Agent, truncated. */
  about: z.string(),
  /** The address of the client. */
  address: z.string().optional(),
  method: LoginMethod.optional(),
});
/** A person's second factor was turned on or off, or their recovery codes changed. In the person's log. */
export const SecondFactorChanged = z.object({
  type: z.literal("second-factor-changed"),
  at,
  by: AgentId,
  change: z.enum(["on", "off", "recovery-codes-renewed", "recovery-code-used"]),
});
/**
 * A passkey of a person was added, renamed or removed, or a login was refused because its signature
 * counter decreased, which suggests a copy of the passkey. In the person's log.
 */
export const PasskeyChanged = z.object({
  type: z.literal("passkey-changed"),
  at,
  by: AgentId,
  name: z.string(),
  change: z.enum(["added", "renamed", "removed", "refused-copy"]),
});
/** A person pinned or archived a room, or undid that. In the person's own log. */
export const RoomViewChanged = z.object({ type: z.literal("room-view-changed"), at, view: RoomView });
/**
 * An account at an OpenID Connect provider was linked to a person or unlinked. `kept-last-admin`: the
 * groups of the account would have removed the last administrator of the house, who keeps `x`. In the
 * person's log.
 */
export const IdentityChanged = z.object({
  type: z.literal("identity-changed"),
  at,
  by: AgentId,
  provider: z.string(),
  change: z.enum(["linked", "unlinked", "kept-last-admin"]),
});
/** An agent's level on a place was set, changed, or removed. */
export const GrantChanged = z.object({
  type: z.literal("grant-changed"),
  at,
  by: AgentId,
  agent: AgentId,
  on: Place,
  level: Level.optional(),
  rights: z.array(Right).optional(),
});
/** A secret was stored, rotated, removed, granted or revoked. Never contains its value. */
export const SecretChanged = z.object({
  type: z.literal("secret-changed"),
  at,
  by: AgentId,
  on: HouseId,
  name: z.string(),
  change: z.enum(["set", "rotated", "removed", "granted", "revoked"]),
  /** The holder and the host of the grant that was added or removed. */
  agent: SecretHolder.optional(),
  host: z.string().optional(),
});
/** A message between agents was put into an inbox, or its status changed. */
export const InboxChanged = z.object({ type: z.literal("inbox-changed"), at, message: InboxMessage });
/**
 * A file of the agent's brain changed: by the agent, a person, an edit on disk, an undo or an
 * erasure.
 */
export const MemoryWritten = z.object({
  type: z.literal("memory-written"),
  at,
  agent: AgentId,
  change: ChangeId,
  path: z.string(),
  /** SHA-256 of the file's content. Absent: the file was deleted. */
  hash: z.string().exactOptional(),
  /** The activation that wrote it, if any. */
  activation: ActivationId.exactOptional(),
});
/** A job's slot was due, or a person started the job: its prompt was posted to this room. */
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
/** Replaces an event that this reader may not see. Never stored. */
export const HiddenEvent = z.object({ type: z.literal("hidden"), at });
/**
 * Replaces an event, other than a message, whose stored body is missing or damaged. Never stored.
 */
export const DamagedEvent = z.object({
  type: z.literal("damaged"),
  at,
  /** The type of the unreadable event. */
  was: z.string(),
  /** Set in a room's stream. */
  room: RoomId.exactOptional(),
});
/** The bytes of one append to a byte stream, or one message of a JSON stream. */
export const ChunkEvent = z.object({
  type: z.literal("chunk"),
  at,
  /** With `utf8`, `data` is the bytes as text. */
  encoding: z.enum(["utf8", "base64"]),
  data: z.string(),
});
/** A person stopped the house or an agent (STOP), or resumed it. */
export const HoldChanged = z.object({
  type: z.literal("hold-changed"),
  at,
  by: AgentId,
  scope: HoldScope,
  isHeld: z.boolean(),
});

/**
 * Spending reached a percentage of a limit. Sent once per percentage and period (a day, month or
 * turn).
 */
export const BudgetWarned = z.object({
  type: z.literal("budget-warned"),
  at,
  /** The agent whose limit it is. Absent: the limit of the whole daemon. */
  agent: AgentId.optional(),
  per: z.enum(budgetSpans),
  /** The day, the month, or the activation of the turn. */
  period: z.string(),
  percent: z.int(),
  limit: SpendLimit,
  /** Spending, in the units of the limit. */
  spent: SpendLimit,
});

/**
 * Parts of an activation's own stream, in memory. Readers can miss any of them without losing data.
 */
export const DeltaEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("round-start"), at, round: z.int() }),
  z.object({ type: z.literal("text-delta"), at, text: z.string() }),
  /**
   * The model call failed. It is sent again at `retryAt`, as attempt `attempt` of at most
   * `attempts`.
   */
  z.object({
    type: z.literal("retry"),
    at,
    error: ErrorBody,
    retryAt: at,
    attempt: z.int().positive(),
    attempts: z.int().positive(),
  }),
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
  /** The activation continues in another cell and sends everything again from its beginning. */
  z.object({ type: z.literal("restart"), at }),
  /** The last event of every `deltas` stream. */
  z.object({ type: z.literal("end"), at, state: ActivationState, error: ErrorBody.optional() }),
]);

/**
 * Parts of a room's `live:` stream, in memory. `retryAt`: the activation failed temporarily and is
 * retried at that time.
 */
export const LiveEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("activation-queued"),
    at,
    activation: ActivationId,
    agent: AgentId,
    cause: EventId,
    retryAt: z.int().optional(),
    error: ErrorBody.optional(),
  }),
  z.object({ type: z.literal("activation-running"), at, activation: ActivationId, agent: AgentId, cause: EventId }),
  /** The activation waits for a person's decision. */
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
export type MessageReacted = z.infer<typeof MessageReacted>;
export type ApprovalAsked = z.infer<typeof ApprovalAsked>;
export type ApprovalDecided = z.infer<typeof ApprovalDecided>;
export type ActivationFailed = z.infer<typeof ActivationFailed>;
export type ActivationStarted = z.infer<typeof ActivationStarted>;
export type ActivationEnded = z.infer<typeof ActivationEnded>;
export type RecordChanged = z.infer<typeof RecordChanged>;
export type GrantChanged = z.infer<typeof GrantChanged>;
export type InboxChanged = z.infer<typeof InboxChanged>;
export type SessionBegan = z.infer<typeof SessionBegan>;
export type RoomViewChanged = z.infer<typeof RoomViewChanged>;
export type PasskeyChanged = z.infer<typeof PasskeyChanged>;
export type IdentityChanged = z.infer<typeof IdentityChanged>;
export type SecondFactorChanged = z.infer<typeof SecondFactorChanged>;
export type MemoryWritten = z.infer<typeof MemoryWritten>;
export type JobFired = z.infer<typeof JobFired>;
export type HiddenEvent = z.infer<typeof HiddenEvent>;
export type DamagedEvent = z.infer<typeof DamagedEvent>;
export type ChunkEvent = z.infer<typeof ChunkEvent>;
export type HoldChanged = z.infer<typeof HoldChanged>;
export type BudgetWarned = z.infer<typeof BudgetWarned>;
export type DeltaEvent = z.infer<typeof DeltaEvent>;
export type LiveEvent = z.infer<typeof LiveEvent>;
export type RoomEvent =
  | MessageEvent
  | MessageEdited
  | MessageDeleted
  | MessageReacted
  | ApprovalAsked
  | ApprovalDecided
  | ActivationFailed
  | DamagedEvent;
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
  | SessionBegan
  | SecondFactorChanged
  | PasskeyChanged
  | RoomViewChanged
  | IdentityChanged
  | z.infer<typeof SecretChanged>;
export type AnyEvent = RoomEvent | AgentLogEvent | HouseLogEvent | HiddenEvent | ChunkEvent | DeltaEvent | LiveEvent;
