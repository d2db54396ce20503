/** Fates: what happened to people's messages. */
import { z } from "zod";
import { ActivationId, AgentId, EventId } from "../base/ids.ts";

/** What happened to one message of a person. */
export const Fate = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("answered"),
    by: AgentId,
    activation: ActivationId,
    /** Whether the answer has left the house. `none`: no channel is involved. */
    delivery: z.enum(["sent", "queued", "unknown", "refused", "none"]),
  }),
  z.object({ kind: z.enum(["running", "waiting", "queued"]), by: AgentId, activation: ActivationId }),
  z.object({
    kind: z.enum(["skipped", "stopped", "failed"]),
    by: AgentId,
    activation: ActivationId,
    reason: z.string().optional(),
  }),
  /** The message woke no agent. */
  z.object({ kind: z.literal("ignored") }),
  /** The message is so old that its activations are no longer stored. */
  z.object({ kind: z.literal("forgotten") }),
  /** The message was damaged before any agent read it, so it woke none. */
  z.object({ kind: z.literal("damaged") }),
]);
export type Fate = z.infer<typeof Fate>;

export const MessageFate = z.object({
  event: EventId,
  offset: z.int().positive(),
  at: z.int(),
  author: AgentId,
  /** The channel that it arrived through. */
  channel: z.string().optional(),
  fate: Fate,
});
export type MessageFate = z.infer<typeof MessageFate>;
/** `next` is the `after` of the next page. */
export const FatePage = z.object({ fates: z.array(MessageFate), next: z.int().nonnegative() });
export type FatePage = z.infer<typeof FatePage>;
export const FateQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export type FateQuery = z.infer<typeof FateQuery>;
