/**
 * Follows a stream to which the user may lose access for a moment, when a level is revoked and
 * granted again.
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
 * Passes on the items of the socket's `follow` for a stream without an end. There, `end` means that
 * the user lost access. A second later, this function subscribes once more after the last event,
 * and `open` or `failed` follows. Rejects with the error of `take`.
 */
export const followReopening = async <Event extends StoredEvent>(
  { socket, clock, stream, schema, after: start = 0, signal }: ReopeningOptions<Event>,
  take: (item: StreamItem<Event>) => void,
): Promise<void> => {
  let after = start;
  for (let isClosed = true; isClosed && !signal.aborted;) {
    isClosed = false;
    for await (const item of socket.follow(stream, schema, { after, signal })) {
      if (item.kind === "event") after = item.event.offset;
      isClosed = item.kind === "end";
      take(item);
    }
    if (isClosed) await clock.sleep(RESUBSCRIBE_PAUSE_MS, signal);
  }
};
