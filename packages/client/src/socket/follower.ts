/** One reader of one stream: what it has, what it was told, and the queue from which it takes its items. */
import type { HearthError, StoredEvent } from "@hearth/protocol";
import type { Following, StreamItem } from "../follow.ts";
import type { Schema } from "../request.ts";
import type { RawEvent } from "./frame.ts";

export interface Follower {
  /** The offset of the last event that it has. */
  after(): number;
  /** Its stream is subscribed. Said once after each `lost`. */
  open(): void;
  /** Said once per outage. */
  lost(error: HearthError): void;
  restarted(): void;
  /** Passes over what it has already. */
  take(event: RawEvent): void;
  /** The last that it hears: the stream is over, or refused. */
  end(failure?: HearthError): void;
  /** Nothing more is said, and what is not taken yet is dropped. */
  close(): void;
}

export interface FollowerOptions<Event extends StoredEvent> {
  readonly schema: Schema<Event>;
  readonly following: Following;
  /** It takes no more: its reader has left, or its signal aborts. */
  readonly onLeave: () => void;
}

export const createFollower = <Event extends StoredEvent>({
  schema,
  following: { signal, after: start = 0 },
  onLeave,
}: FollowerOptions<Event>): { readonly follower: Follower; readonly items: AsyncIterator<StreamItem<Event>> } => {
  let after = start;
  let told: "open" | "lost" | undefined;
  let isOver = false;
  const queue: StreamItem<Event>[] = [];
  let wake: (() => void) | undefined;

  const put = (item: StreamItem<Event>): void => {
    queue.push(item);
    wake?.();
  };
  const close = (): void => {
    isOver = true;
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
    after: () => after,
    open() {
      if (told === "open") return;
      told = "open";
      put({ kind: "open" });
    },
    lost(error) {
      if (told === "lost") return;
      told = "lost";
      put({ kind: "lost", error });
    },
    restarted() {
      after = 0;
      put({ kind: "restarted" });
    },
    take(raw) {
      if (raw.offset <= after) return;
      after = raw.offset;
      const event = schema.safeParse(raw);
      if (event.success) put({ kind: "event", event: event.data });
    },
    end(failure) {
      put(failure === undefined ? { kind: "end" } : { kind: "failed", error: failure });
      isOver = true;
    },
    close,
  };

  const items: AsyncIterator<StreamItem<Event>> = {
    async next() {
      while (queue.length === 0 && !isOver) {
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
