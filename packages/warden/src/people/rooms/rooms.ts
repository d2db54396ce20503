/** Actions in rooms: post, edit and delete messages, and find the direct room of two agents. */
import type { Guard } from "../../kernel/index.ts";
import type {
  AgentId,
  EventId,
  MessageEdited,
  MessageEvent,
  RoomId,
  RoomRecord,
  StoredDeletion,
  StoredEdit,
  StoredMessage,
} from "@hearth/protocol";

export interface NewMessage {
  readonly text: string;
  /** The same key by the same author in the same room is the same message. */
  readonly idempotencyKey?: string;
  readonly replyTo?: EventId;
}

export interface Rooms {
  /** The event of a text with its mentions, without writing it. */
  compose(room: RoomRecord, message: NewMessage, author: AgentId): Promise<MessageEvent>;
  /**
   * The event of an edit, and the guard for its commit: the message was not deleted. Nothing is
   * written.
   */
  composeEdit(
    room: RoomId,
    message: EventId,
    text: string,
    by: AgentId,
  ): { readonly event: MessageEdited; readonly guard: Guard };
  /**
   * Appends a message. Durable when it resolves; a repeated key returns the first message. Throws
   * `record.not-found`, `auth.denied`.
   */
  post(room: RoomId, message: NewMessage, author: AgentId): Promise<StoredMessage>;
  /**
   * Replaces the text of a message. Only its author may. Throws `record.not-found`, `auth.denied`,
   * `message.not-found`.
   */
  edit(room: RoomId, message: EventId, text: string, by: AgentId): Promise<StoredEdit>;
  /**
   * Deletes a message permanently: its author may, and people who decide in the room. Throws like
   * `edit`, also if it is already deleted.
   */
  remove(room: RoomId, message: EventId, by: AgentId): Promise<StoredDeletion>;
  /** Whether the message was deleted. */
  isRemoved(room: RoomId, message: EventId): Promise<boolean>;
  /** The direct room of two agents; created on first use. */
  direct(one: AgentId, other: AgentId): Promise<RoomRecord>;
}
