/** Inboxes: messages between agents, read at the receiver's next activation in any room. */
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
  /** The room in which the author wrote it. */
  room: RoomId,
  /** The activation that wrote it. */
  activation: ActivationId,
  /** The message that it answers. */
  replyTo: InboxId.optional(),
  /** UTC milliseconds. */
  at: z.int(),
  /**
   * When it was read, and the activation that read it: it was in its prompt, and the activation
   * succeeded.
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
