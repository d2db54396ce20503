/** Activations as shown to people: their state, steps and output. */
import { z } from "zod";
import { Compaction } from "../agents/compaction.ts";
import { Usage } from "../agents/model.ts";
import { ErrorBody } from "../base/error-schema.ts";
import { ActivationId, AgentId, EventId, RoomId } from "../base/ids.ts";
import { ActivationState, SkipReason, Trigger } from "../events/event.ts";
import { Label } from "../policy/label.ts";

export const Activation = z.object({
  id: ActivationId,
  agent: AgentId,
  room: RoomId,
  trigger: Trigger,
  /** The message that woke the agent. */
  cause: EventId,
  state: ActivationState,
  reason: z.string().optional(),
  skip: SkipReason.optional(),
  error: ErrorBody.optional(),
  model: z.string().optional(),
  usage: Usage,
  /** Number of bot activations in the chain before this one. */
  depth: z.int().nonnegative(),
  /** The activation that delegated this one or asked it. */
  parent: ActivationId.optional(),
  createdAt: z.int(),
  startedAt: z.int().optional(),
  endedAt: z.int().optional(),
  /** The first message of the chain, usually a person's. */
  root: EventId.optional(),
  /**
   * For an ambient activation that waits for the room to be quiet: until when, in UTC milliseconds.
   */
  readyAt: z.int().optional(),
  /** Time of the next retry, in UTC milliseconds. `error` has the reason. */
  retryAt: z.int().optional(),
  /** For a failed activation: the activation that a person started to replace it. */
  retriedBy: ActivationId.optional(),
  /** The activation that included this one's message and answers it too. */
  mergedInto: ActivationId.optional(),
});
export type Activation = z.infer<typeof Activation>;
/** Query for the activations of one room. Newest first. */
export const RoomActivationQuery = z.object({
  state: ActivationState.optional(),
  trigger: Trigger.optional(),
  skip: SkipReason.optional(),
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type RoomActivationQuery = z.infer<typeof RoomActivationQuery>;
export const ActivationQuery = z.object({
  room: RoomId.optional(),
  /** Alias of `room`. */
  roomId: RoomId.optional(),
  trigger: Trigger.optional(),
  state: ActivationState.optional(),
  skip: SkipReason.optional(),
  cause: EventId.optional(),
  /** Alias of `cause`: the id of the message that woke the agent. */
  triggerId: EventId.optional(),
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type ActivationQuery = z.infer<typeof ActivationQuery>;

/** One call in the journal, as shown to people. */
export const Step = z.object({
  activation: ActivationId,
  /** From 0. -1: the relevance check before an ambient activation. */
  step: z.int(),
  /** `intake`: includes messages that arrived while the activation ran. */
  kind: z.enum(["model", "tool", "intake"]),
  name: z.string(),
  /**
   * The effect class, which decides what happens after a crash: `pure`, `keyed`, `reconcilable` or
   * `plain`.
   */
  effect: z.string(),
  state: z.enum(["started", "done", "unknown"]),
  /** Usage of a model call, or of a tool that called a model. */
  usage: Usage.optional(),
  /**
   * The beginning of the result, on one line: the model's text and tool calls, the tool's output,
   * or the included messages.
   */
  glimpse: z.string().optional(),
  /** For a tool call: the outcome was not a success. */
  failed: z.boolean().optional(),
  /** For an intake: the messages that it included. */
  messages: z.array(EventId).optional(),
  /** Provenance of the result. Absent: none was stored. */
  label: Label.optional(),
  startedAt: z.int(),
  endedAt: z.int().optional(),
});
/** A part of an activation's output, in the order in which a live viewer saw it. */
export const ActivationPart = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({
    kind: z.literal("tool"),
    call: z.string(),
    name: z.string(),
    input: z.json(),
    /** `unknown`: the call started, and its outcome is not known. */
    state: z.enum(["running", "done", "failed", "unknown"]),
    output: z.string().optional(),
    startedAt: z.int().optional(),
    durationMs: z.number().optional(),
  }),
]);
export type ActivationPart = z.infer<typeof ActivationPart>;
export const ActivationList = z.array(Activation);
export const ActivationDetail = Activation.extend({
  /** The message that woke the agent, before any edits. Absent: it was deleted. */
  message: z.object({ author: AgentId, at: z.int(), text: z.string() }).optional(),
  steps: z.array(Step),
  parts: z.array(ActivationPart),
  /** The part of `usage` that programs in the agent's cell spent on its model. Absent: nothing. */
  programs: Usage.optional(),
  /** The compaction that the activation made of its session, if any. */
  compaction: Compaction.optional(),
});
export type ActivationDetail = z.infer<typeof ActivationDetail>;
