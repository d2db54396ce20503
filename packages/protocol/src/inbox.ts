/** What one agent leaves for another: read when that one wakes next, whichever room it wakes in. */
import { z } from "zod";
import { ActivationId, AgentId, InboxId, RoomId } from "./ids.ts";

export const MAX_INBOX_TEXT = 20_000;

/** `note`: to be known. `question`: whoever asked waits for the answer. `answer`: to a question. `delegation`: work that is done at once, by a child activation. */
export const InboxType = z.enum(["note", "question", "answer", "delegation"]);
export type InboxType = z.infer<typeof InboxType>;
/** `pending → read → archived`: shown until it was used, then kept for people to look up. */
export const InboxStatus = z.enum(["pending", "read", "archived"]);
export type InboxStatus = z.infer<typeof InboxStatus>;

export const InboxMessage = z.object({
  id: InboxId,
  from: AgentId,
  to: AgentId,
  type: InboxType,
  status: InboxStatus,
  text: z.string(),
  /** Where its author was when it wrote it. */
  room: RoomId,
  /** The activation that wrote it. */
  activation: ActivationId,
  /** The message that it answers. */
  replyTo: InboxId.optional(),
  /** UTC milliseconds. */
  at: z.int(),
  /** When an activation had it in its prompt and ended well, and which. */
  readAt: z.int().optional(),
  readBy: ActivationId.optional(),
});
export type InboxMessage = z.infer<typeof InboxMessage>;
export const InboxList = z.array(InboxMessage);
export const InboxQuery = z.object({
  status: InboxStatus.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});
export type InboxQuery = z.infer<typeof InboxQuery>;
/** People put away what they have dealt with; what was read, agents say. */
export const PatchInbox = z.strictObject({ status: z.literal("archived") });
export type PatchInbox = z.infer<typeof PatchInbox>;
