/**
 * Follows a stream that its reader may lose for a moment, when a level is revoked and granted
 * again.
 */
import type { Clock, StoredEvent, StreamName } from "@hearth/protocol";
import type { Following, StreamItem } from "../follow.ts";
import type { Schema } from "../request.ts";
import type { Socket } from "../socket.ts";

export interface Reopening<Event extends StoredEvent> extends Following {
  readonly socket: Pick<Socket, "follow">;
  readonly clock: Pick<Clock, "sleep">;
  readonly stream: StreamName;
  readonly schema: Schema<Event>;
}

/** Leaves time to restore a level that was revoked by mistake. */
const AGAIN_MS = 1_000;

/**
 * Passes on the items of the socket's `follow` for a stream that never ends on its own. `end` means
 * that access was lost: a second later it subscribes once more, after the last event; `open` or
 * `failed` follows. Rejects with what `take` throws.
 */
export const followReopening = async <Event extends StoredEvent>(
  { socket, clock, stream, schema, after: start = 0, signal }: Reopening<Event>,
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
    if (isClosed) await clock.sleep(AGAIN_MS, signal);
  }
};
