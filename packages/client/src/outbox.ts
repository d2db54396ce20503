/**
 * Messages that were written and that no house has confirmed yet: kept on this device across reloads, sent in order per room,
 * tried again until the house has taken or refused them. The idempotency key makes a repeated send harmless, also from two tabs.
 */
import type { Clock, EventId, RoomId, StoredMessage } from "@hearth/protocol";
import type { PendingMessage } from "./room/room.ts";
import type { Storage } from "./storage.ts";

export interface OutboxOptions {
  readonly storage: Storage;
  readonly post: (
    room: RoomId,
    message: { readonly text: string; readonly idempotencyKey: string; readonly replyTo?: EventId },
  ) => Promise<StoredMessage>;
  readonly clock: Clock;
  /** A fresh idempotency key. */
  readonly newKey: () => string;
}

/**
 * Contract, checked in outbox.test.ts:
 * - what `add` took is in storage before it returns, and leaves it only when the house has confirmed it or a person discards it;
 *   a storage without space keeps it in memory and goes on
 * - messages of one room reach the house in the order of their `add`; a refused one holds up nobody
 * - a failure that passes (no network, logged out, the house is closing or full) is tried again, with growing pauses; any other is `refused`, with its error
 * - entries of an earlier page load, and of tabs that are gone, are taken up
 */
export interface Outbox extends Disposable {
  pending(room: RoomId): readonly PendingMessage[];
  onChange(listener: () => void): () => void;
  /** Queues a message and returns its key. */
  add(room: RoomId, text: string, replyTo?: EventId): string;
  retry(key: string): void;
  discard(key: string): void;
  /** Tries what waits at once: the network is back. */
  nudge(): void;
  /** Calls back with each confirmed message before it leaves `pending`. */
  onSent(listener: (key: string, message: StoredMessage) => void): () => void;
}
