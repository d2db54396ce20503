/** What people and bots do in rooms: say something, and find the room that two of them share. */
import type { AgentId, EventId, RoomId, RoomRecord, Stored, MessageEvent } from "@hearth/protocol";

export interface NewMessage {
  readonly text: string;
  /** The same key in the same room by the same author is the same message. */
  readonly idempotencyKey?: string;
  readonly replyTo?: EventId;
}

export interface Rooms {
  /** The event that a text becomes: mentions found, nothing written. */
  compose(room: RoomRecord, message: NewMessage, author: AgentId): Promise<MessageEvent>;
  /** Appends a message. Durable when it resolves; a repeated key gives the first message again. Throws `record.not-found`, `auth.denied`. */
  post(room: RoomId, message: NewMessage, author: AgentId): Promise<Stored<MessageEvent>>;
  /** The direct room of two agents; made on first use. */
  direct(one: AgentId, other: AgentId): Promise<RoomRecord>;
}
