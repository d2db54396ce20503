/** The messages on their way to one room, without those that the room's stream has brought: never both, never neither. */
import type { AgentId, RoomId, StoredRoomEvent } from "@hearth/protocol";
import type { Outbox } from "../outbox.ts";
import { keep } from "./activity.ts";
import type { PendingMessage } from "./room.ts";

export interface Unconfirmed extends Disposable {
  /** The reader has what the room says up to this event. */
  arrived(event: StoredRoomEvent): void;
  messages(): readonly PendingMessage[];
}

export interface UnconfirmedOptions {
  readonly outbox: Outbox;
  readonly room: RoomId;
  readonly me: AgentId;
  readonly onChange: () => void;
}

export const createUnconfirmed = ({ outbox, room, me, onChange }: UnconfirmedOptions): Unconfirmed => {
  /** The keys of own messages that are here. */
  const keys = new Set<string>();
  /** The house has these; the room's stream will bring them at these offsets. */
  const sent = new Map<string, { readonly message: PendingMessage; readonly offset: number }>();
  let position = 0;
  let shown: readonly PendingMessage[] = [];

  const stopWatching = outbox.onChange(onChange);
  const stopListening = outbox.onSent((key, { offset }) => {
    const message = outbox.pending(room).find((one) => one.key === key);
    if (message !== undefined) sent.set(key, { message, offset });
  });

  return {
    arrived(event) {
      position = Math.max(position, event.offset);
      if (event.type === "message" && event.author === me && event.key !== undefined) keys.add(event.key);
    },
    messages() {
      for (const [key, { offset }] of sent) if (offset <= position) sent.delete(key);
      const waiting = outbox.pending(room).filter(({ key }) => !sent.has(key));
      const all = [...[...sent.values()].map(({ message }) => message), ...waiting];
      shown = keep(
        shown,
        all.filter(({ key }) => !keys.has(key)),
      );
      return shown;
    },
    [Symbol.dispose]() {
      stopWatching();
      stopListening();
    },
  };
};
