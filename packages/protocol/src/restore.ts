/** What a house says after its home was restored or copied: why it is on hold, what it would do again, and what the owner decides. */
import { z } from "zod";
import { ActivationId, AgentId, ApprovalId, RoomId } from "./ids.ts";

export const RestoreFindingKind = z.enum(["behind", "no-anchor", "missing-blobs"]);
export type RestoreFindingKind = z.infer<typeof RestoreFindingKind>;

/** One sign that the home was restored or copied. */
export const RestoreFinding = z.object({
  id: z.string(),
  kind: RestoreFindingKind,
  detail: z.string(),
  /** UTC milliseconds. */
  foundAt: z.int(),
});
export type RestoreFinding = z.infer<typeof RestoreFinding>;

/** What the house does when it continues. Each list ends after `MAX_RESTORE_LIST` entries. */
export const RestoreWork = z.object({
  activations: z.array(
    z.object({
      ...{ id: ActivationId, agent: AgentId, room: RoomId, state: z.string(), createdAt: z.int() },
      /** Calls that were begun. Nobody knows whether they had an effect. */
      inDoubt: z.array(z.object({ step: z.int(), name: z.string(), startedAt: z.int() })),
    }),
  ),
  messages: z.array(z.object({ room: RoomId, unread: z.int() })).describe("messages that no agent was woken for yet"),
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

/** `continue`: do all of it. `discard`: end what is queued, then go on with what comes next. */
export const RestoreDecision = z.enum(["continue", "discard"]);
export type RestoreDecision = z.infer<typeof RestoreDecision>;
export const DecideRestore = z.strictObject({ decision: RestoreDecision });
