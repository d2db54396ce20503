/** Follows a stream that may be closed to its reader for a moment, when somebody takes their level and gives it back. */
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

/** For whoever gives back what they have just taken. */
const AGAIN_MS = 1_000;

/**
 * Hands on what the socket's `follow` has of a stream that does not end by itself. `end` says that it was closed: a second later it is
 * asked for once more, after the last event that came; `open` follows, or `failed`. Rejects with what `take` throws.
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
