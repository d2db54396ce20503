/**
 * API types for a restored or copied home: why the house is on hold, what it would do next, and the
 * owner's decision.
 */
import { z } from "zod";
import { ActivationId, AgentId, ApprovalId, RoomId } from "../base/ids.ts";

export const RestoreFindingKind = z.enum(["restored", "behind", "no-anchor", "missing-blobs"]);
export type RestoreFindingKind = z.infer<typeof RestoreFindingKind>;

/** A sign that the home was restored or copied. */
export const RestoreFinding = z.object({
  id: z.string(),
  kind: RestoreFindingKind,
  detail: z.string(),
  /** UTC milliseconds. */
  foundAt: z.int(),
});
export type RestoreFinding = z.infer<typeof RestoreFinding>;

/** Work that the house resumes on `continue`. Each list has at most `MAX_RESTORE_LIST` entries. */
export const RestoreWork = z.object({
  activations: z.array(
    z.object({
      ...{ id: ActivationId, agent: AgentId, room: RoomId, state: z.string(), createdAt: z.int() },
      /** Calls that were started and whose effect is unknown. */
      inDoubt: z.array(z.object({ step: z.int(), name: z.string(), startedAt: z.int() })),
    }),
  ),
  messages: z.array(z.object({ room: RoomId, unread: z.int() })).describe("messages that woke no agent yet"),
  deliveries: z.array(
    z.object({ id: z.string(), channel: z.string(), conversation: z.string(), state: z.string(), createdAt: z.int() }),
  ),
  jobs: z.array(z.object({ agent: AgentId, name: z.string(), dueAt: z.int() })),
  approvals: z.array(z.object({ id: ApprovalId, agent: AgentId, name: z.string(), state: z.string() })),
});
export type RestoreWork = z.infer<typeof RestoreWork>;

export const MAX_RESTORE_LIST = 200;

export const RestoreState = z.object({
  /** Whether the house waits for a decision. */
  onHold: z.boolean(),
  findings: z.array(RestoreFinding),
  work: RestoreWork,
});
export type RestoreState = z.infer<typeof RestoreState>;

/** `continue`: resume all work. `discard`: end what is queued and continue with new work. */
export const RestoreDecision = z.enum(["continue", "discard"]);
export type RestoreDecision = z.infer<typeof RestoreDecision>;
export const DecideRestore = z.strictObject({ decision: RestoreDecision });
