/**
 * Follows a stream to which the user may lose access for a moment, because an administrator revokes a
 * level and grants it again.
 */
import type { Clock, StoredEvent, StreamName } from "@hearth/protocol";
import type { FollowRequest, StreamItem } from "../follow.ts";
import type { Schema } from "../request.ts";
import type { Socket } from "../socket.ts";

export interface ReopeningOptions<Event extends StoredEvent> extends FollowRequest {
  readonly socket: Pick<Socket, "follow">;
  readonly clock: Pick<Clock, "sleep">;
  readonly stream: StreamName;
  readonly schema: Schema<Event>;
}

/** Time in which an admin can restore a level that was revoked by mistake. */
const RESUBSCRIBE_PAUSE_MS = 1_000;

/**
 * Calls `onItem` with the items of the socket's `follow`, for a stream that never ends. For such a
 * stream, `end` means that the user lost access. After a second, this function subscribes again, and
 * an item `open` or `failed` follows. Rejects if `onItem` throws.
 */
export const followReopening = async <Event extends StoredEvent>(
  { socket, clock, stream, schema, after: startOffset = 0, signal }: ReopeningOptions<Event>,
  onItem: (item: StreamItem<Event>) => void,
): Promise<void> => {
  let lastOffset = startOffset;
  for (let isClosed = true; isClosed && !signal.aborted;) {
    isClosed = false;
    for await (const item of socket.follow(stream, schema, { after: lastOffset, signal })) {
      if (item.kind === "event") lastOffset = item.event.offset;
      isClosed = item.kind === "end";
      onItem(item);
    }
    if (isClosed) await clock.sleep(RESUBSCRIBE_PAUSE_MS, signal);
  }
};
