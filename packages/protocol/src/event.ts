/** What streams hold. Durable events are facts in the past; stream parts (deltas) are noun-action. */
import { z } from "zod";
import { ErrorBody } from "./error-schema.ts";
import { ActivationId, AgentId, EventId, KeyId, RoomId } from "./ids.ts";
import { HearthRecord } from "./record.ts";
import { Usage } from "./model.ts";

/** Longest message text, in UTF-16 code units. */
export const MAX_MESSAGE_LENGTH = 200_000;

const at = z.int().describe("UTC milliseconds");

/** One message of a room. The only event that people and bots write into rooms. */
export const MessageEvent = z.object({
  type: z.literal("message"),
  room: RoomId,
  author: AgentId,
  at,
  body: z.object({ format: z.literal("markdown"), text: z.string() }),
  /** Agents whose @handle stands in the text. */
  mentions: z.array(AgentId),
  /** The messages that this one answers. */
  causes: z.array(EventId),
  replyTo: EventId.optional(),
  /** The activation that wrote it, if a bot did. */
  activation: ActivationId.optional(),
});

export const Trigger = z.enum(["direct", "mention"]);
export type Trigger = z.infer<typeof Trigger>;

/** `queued → running → replied | skipped | failed | stopped`. */
export const ActivationState = z.enum(["queued", "running", "replied", "skipped", "failed", "stopped"]);
export type ActivationState = z.infer<typeof ActivationState>;

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
  z.object({ type: z.literal("activation-queued"), at, activation: ActivationId, agent: AgentId, cause: EventId }),
  z.object({ type: z.literal("activation-running"), at, activation: ActivationId, agent: AgentId, cause: EventId }),
  z.object({
    type: z.literal("activation-over"),
    at,
    activation: ActivationId,
    agent: AgentId,
    state: ActivationState,
    error: ErrorBody.optional(),
  }),
]);

export type MessageEvent = z.infer<typeof MessageEvent>;
export type ActivationStarted = z.infer<typeof ActivationStarted>;
export type ActivationEnded = z.infer<typeof ActivationEnded>;
export type RecordChanged = z.infer<typeof RecordChanged>;
export type DeltaEvent = z.infer<typeof DeltaEvent>;
export type LiveEvent = z.infer<typeof LiveEvent>;
export type RoomEvent = MessageEvent;
export type AgentLogEvent = ActivationStarted | ActivationEnded;
export type HouseLogEvent = RecordChanged | z.infer<typeof KeyCreated> | z.infer<typeof KeyRevoked>;
export type AnyEvent = RoomEvent | AgentLogEvent | HouseLogEvent | DeltaEvent | LiveEvent;

/** An event where it stands: `offset` is dense and starts at 1 in each stream. */
export type Stored<Event extends AnyEvent = AnyEvent> = Event & { readonly id: EventId; readonly offset: number };

const stored = { id: EventId, offset: z.int().positive() };
export const StoredMessage = MessageEvent.extend(stored);
export const StoredEvent = z.union([
  StoredMessage,
  ActivationStarted.extend(stored),
  ActivationEnded.extend(stored),
  RecordChanged.extend(stored),
  KeyCreated.extend(stored),
  KeyRevoked.extend(stored),
  z.intersection(DeltaEvent, z.object(stored)),
  z.intersection(LiveEvent, z.object(stored)),
]);
export type StoredEvent = Stored;
export type StoredMessage = Stored<MessageEvent>;
