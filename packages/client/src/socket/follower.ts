/** One reader of one stream, with its offset, its state and the queue of its items. */
import type { HearthError, StoredEvent } from "@hearth/protocol";
import type { FollowRequest, StreamItem } from "../follow.ts";
import type { Schema } from "../request.ts";
import type { RawEvent } from "./frame.ts";

export interface Follower {
  /** Returns the offset of the last event that the follower has. */
  after(): number;
  /** Queues the item `open`, once after each `lost`. */
  queueOpen(): void;
  /** Queues the item `lost`, once per outage. */
  queueLost(error: HearthError): void;
  queueRestarted(): void;
  /** Queues an event, unless the follower already has it. */
  queueEvent(event: RawEvent): void;
  /** Queues the last item: the stream has ended, or the house refused it. */
  queueEnd(failure?: HearthError): void;
  /** Stops the queue, and drops items that the reader has not taken yet. */
  close(): void;
}

export interface FollowerOptions<Event extends StoredEvent> {
  readonly schema: Schema<Event>;
  readonly following: FollowRequest;
  /** Called when the reader has left its loop, or its signal aborted. */
  readonly onLeave: () => void;
}

export const createFollower = <Event extends StoredEvent>({
  schema,
  following: { signal, after: startOffset = 0 },
  onLeave,
}: FollowerOptions<Event>): { readonly follower: Follower; readonly items: AsyncIterator<StreamItem<Event>> } => {
  let lastOffset = startOffset;
  let reportedState: "open" | "lost" | undefined;
  let isEnded = false;
  const queue: StreamItem<Event>[] = [];
  let wake: (() => void) | undefined;

  const queueItem = (item: StreamItem<Event>): void => {
    queue.push(item);
    wake?.();
  };
  const close = (): void => {
    isEnded = true;
    queue.length = 0;
    wake?.();
  };
  const leave = (): void => {
    close();
    onLeave();
  };
  if (signal.aborted) close();
  else signal.addEventListener("abort", leave);

  const follower: Follower = {
    after: () => lastOffset,
    queueOpen() {
      if (reportedState === "open") return;
      reportedState = "open";
      queueItem({ kind: "open" });
    },
    queueLost(error) {
      if (reportedState === "lost") return;
      reportedState = "lost";
      queueItem({ kind: "lost", error });
    },
    queueRestarted() {
      lastOffset = 0;
      queueItem({ kind: "restarted" });
    },
    queueEvent(rawEvent) {
      if (rawEvent.offset <= lastOffset) return;
      lastOffset = rawEvent.offset;
      const event = schema.safeParse(rawEvent);
      if (event.success) queueItem({ kind: "event", event: event.data });
    },
    queueEnd(failure) {
      queueItem(failure === undefined ? { kind: "end" } : { kind: "failed", error: failure });
      isEnded = true;
    },
    close,
  };

  const items: AsyncIterator<StreamItem<Event>> = {
    async next() {
      while (queue.length === 0 && !isEnded) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      const value = queue.shift();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    },
    return() {
      leave();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { follower, items };
};
