/**
 * Messages that the house has not confirmed yet. The outbox stores them on this device, sends those
 * of one room in order, and retries until the house accepts or refuses them. The idempotency key
 * makes a repeated send harmless, also from two tabs.
 */
import type { Clock, EventId, RoomId, StoredMessage, UploadId } from "@hearth/protocol";
import type { FileShelf, WaitingFile } from "./files/file-shelf.ts";
import type { PendingMessage } from "./room/room.ts";
import type { Storage } from "./storage.ts";

export interface OutboxOptions {
  readonly storage: Storage;
  readonly post: (
    room: RoomId,
    message: {
      readonly text: string;
      readonly attachments?: UploadId[];
      readonly idempotencyKey: string;
      readonly replyTo?: EventId;
    },
  ) => Promise<StoredMessage>;
  /** Uploads the files of messages before they are sent. */
  readonly files: Pick<FileShelf, "upload" | "done" | "drop">;
  readonly clock: Clock;
  /** Returns a new idempotency key. */
  readonly newKey: () => string;
}

/**
 * Contract, checked in outbox.test.ts:
 * - a message is in storage before `add` returns, and leaves it only when the house has confirmed
 *   it or a person discards it; if the storage is full the message stays in memory
 * - messages of one room reach the house in the order of their `add`; a refused message does not
 *   block the next one
 * - a transient failure (no network, logged out, house shutting down or full) is retried with
 *   growing pauses; any other failure marks the message as `refused`, with its error
 * - a message with files is sent once the house has all of them; its entry keeps their names
 * - takes over entries of earlier page loads and of closed tabs
 */
export interface Outbox extends Disposable {
  pending(room: RoomId): readonly PendingMessage[];
  onChange(listener: () => void): () => void;
  /** Queues a message and returns its key. */
  add(
    room: RoomId,
    text: string,
    options?: { readonly replyTo?: EventId; readonly files?: readonly WaitingFile[] },
  ): string;
  retry(key: string): void;
  discard(key: string): void;
  /** Sends waiting messages at once, for example when the network is back. */
  retryNow(): void;
  /** Calls the listener with each confirmed message before the message leaves `pending`. */
  onSent(listener: (key: string, message: StoredMessage) => void): () => void;
}
