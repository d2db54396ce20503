/** What people and bots do in rooms: say something, say it otherwise, take it back, and find the room that two of them share. */
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
  /** The same key in the same room by the same author is the same message. */
  readonly idempotencyKey?: string;
  readonly replyTo?: EventId;
}

export interface Rooms {
  /** The event that a text becomes: mentions found, nothing written. */
  compose(room: RoomRecord, message: NewMessage, author: AgentId): Promise<MessageEvent>;
  /** The event that a new text of a message becomes, and what must hold when it is appended: the message was not taken back. Nothing is written. */
  composeEdit(
    room: RoomId,
    message: EventId,
    text: string,
    by: AgentId,
  ): { readonly event: MessageEdited; readonly guard: Guard };
  /** Appends a message. Durable when it resolves; a repeated key gives the first message again. Throws `record.not-found`, `auth.denied`. */
  post(room: RoomId, message: NewMessage, author: AgentId): Promise<StoredMessage>;
  /** From here on the message says `text`. Only its author may. Throws `record.not-found`, `auth.denied`, `message.not-found`. */
  edit(room: RoomId, message: EventId, text: string, by: AgentId): Promise<StoredEdit>;
  /** Takes a message back for good: its author may, and whoever decides in the room. Throws like `edit`, also when it is gone already. */
  remove(room: RoomId, message: EventId, by: AgentId): Promise<StoredDeletion>;
  /** Whether the message was taken back. */
  isRemoved(room: RoomId, message: EventId): Promise<boolean>;
  /** The direct room of two agents; made on first use. */
  direct(one: AgentId, other: AgentId): Promise<RoomRecord>;
}
