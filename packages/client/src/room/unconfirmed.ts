/**
 * The pending messages of one room. A message leaves this list when the room's stream delivers it,
 * so the room shows it exactly once.
 */
import type { AgentId, RoomId, StoredRoomEvent } from "@hearth/protocol";
import type { Outbox } from "../outbox.ts";
import { reuseIfEqual } from "./activity.ts";
import type { PendingMessage } from "./room.ts";

export interface UnconfirmedMessages extends Disposable {
  /** Records that the reader has received this event of the room's stream. */
  markArrived(event: StoredRoomEvent): void;
  messages(): readonly PendingMessage[];
}

export interface UnconfirmedOptions {
  readonly outbox: Outbox;
  readonly room: RoomId;
  readonly me: AgentId;
}

export const createUnconfirmedMessages = ({ outbox, room, me }: UnconfirmedOptions): UnconfirmedMessages => {
  /** The idempotency keys of the user's messages that the room's stream has delivered. */
  const deliveredKeys = new Set<string>();
  /**
   * Messages that the house has confirmed, with the offsets at which the room's stream will deliver
   * them.
   */
  const confirmed = new Map<string, { readonly message: PendingMessage; readonly offset: number }>();
  let position = 0;
  let lastMessages: readonly PendingMessage[] = [];

  const stopListening = outbox.onSent((key, { offset }) => {
    const message = outbox.pending(room).find((candidate) => candidate.key === key);
    if (message !== undefined) confirmed.set(key, { message, offset });
  });

  return {
    markArrived(event) {
      position = Math.max(position, event.offset);
      if (event.type === "message" && event.author === me && event.key !== undefined) deliveredKeys.add(event.key);
    },
    messages() {
      for (const [key, { offset }] of confirmed) if (offset <= position) confirmed.delete(key);
      const pendingMessages = outbox.pending(room).filter(({ key }) => !confirmed.has(key));
      const allMessages = [...[...confirmed.values()].map(({ message }) => message), ...pendingMessages];
      lastMessages = reuseIfEqual(
        lastMessages,
        allMessages.filter(({ key }) => !deliveredKeys.has(key)),
      );
      return lastMessages;
    },
    [Symbol.dispose]: stopListening,
  };
};
