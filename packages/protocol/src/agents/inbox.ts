/** Inboxes contain messages between agents. The receiver reads them in its next activation in any room. */
import { z } from "zod";
import { ActivationId, AgentId, InboxId, RoomId } from "../base/ids.ts";

export const MAX_INBOX_TEXT = 20_000;

/**
 * `note`: for information. `question`: the sender waits for the answer. `answer`: to a question.
 * `delegation`: work that a child activation does at once.
 */
export const InboxType = z.enum(["note", "question", "answer", "delegation"]);
export type InboxType = z.infer<typeof InboxType>;
/**
 * `pending → read → archived`. Pending messages are in the agent's prompt; archived ones are kept
 * for people.
 */
export const InboxStatus = z.enum(["pending", "read", "archived"]);
export type InboxStatus = z.infer<typeof InboxStatus>;

export const InboxMessage = z.object({
  id: InboxId,
  from: AgentId,
  to: AgentId,
  type: InboxType,
  status: InboxStatus,
  text: z.string(),
  /** The room in which the author wrote the message. */
  room: RoomId,
  /** The activation that wrote the message. */
  activation: ActivationId,
  /** The message that this one answers. */
  replyTo: InboxId.optional(),
  /** UTC milliseconds. */
  at: z.int(),
  /**
   * When the message was read, and by which activation. A message counts as read when it was in the
   * prompt of an activation that succeeded.
   */
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
/** People archive messages. Only activations mark them as read. */
export const PatchInbox = z.strictObject({ status: z.literal("archived") });
export type PatchInbox = z.infer<typeof PatchInbox>;
