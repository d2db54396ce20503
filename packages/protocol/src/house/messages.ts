/** Posting, editing and reacting to messages of a room, and chatting without a room. */
import { z } from "zod";
import { EventId, UploadId } from "../base/ids.ts";
import { MAX_ATTACHMENTS } from "../events/attachment.ts";
import { Emoji, MAX_MESSAGE_LENGTH } from "../events/event.ts";

const anyText = z
  .string()
  .max(MAX_MESSAGE_LENGTH)
  .refine((value) => value.isWellFormed(), "is not well-formed Unicode");
const text = anyText.min(1);

export const PostMessage = z
  .strictObject({
    /** May be empty if the message has attachments. */
    text: anyText,
    /** Complete uploads of the author. */
    attachments: z.array(UploadId).min(1).max(MAX_ATTACHMENTS).exactOptional(),
    /** Posting again with the same key, room and author returns the first message. */
    idempotencyKey: z.string().min(1).max(200).optional(),
    replyTo: EventId.optional(),
  })
  .refine(({ text, attachments }) => text !== "" || attachments !== undefined, {
    path: ["text"],
    message: "is empty, and the message has no attachments",
  })
  .refine(({ attachments = [] }) => new Set(attachments).size === attachments.length, {
    path: ["attachments"],
    message: "names an upload twice",
  });
export type PostMessage = z.infer<typeof PostMessage>;

export const EditMessage = z.strictObject({ text });
export type EditMessage = z.infer<typeof EditMessage>;

export const InstantQuery = z.object({ time: z.coerce.number().int().nonnegative().describe("UTC milliseconds") });
export type InstantQuery = z.input<typeof InstantQuery>;

/** The place of an instant in a room. */
export const RoomPlace = z.object({
  /** The offset of the first event at this instant or later. Absent: the room ends earlier. */
  offset: z.int().positive().exactOptional(),
});
export type RoomPlace = z.infer<typeof RoomPlace>;

/** `isOn`: whether the caller's emoji is on the message afterwards. */
export const ReactToMessage = z.strictObject({ emoji: Emoji, isOn: z.boolean() });
export type ReactToMessage = z.infer<typeof ReactToMessage>;

export const ChatRequest = z.strictObject({ agentName: z.string().min(1).max(200), message: text });
export const ChatAnswer = z.object({
  result: z.string(),
  sessionId: z.string(),
  /**
   * Set when the model failed temporarily: the agent retries then. `result` is empty, and the reply
   * will appear in the room.
   */
  retryAt: z.int().optional(),
});
export type ChatAnswer = z.infer<typeof ChatAnswer>;
