/**
 * One subscribed stream and its followers. The house allows one subscription per stream and socket.
 * The subscription starts at the lowest offset of all followers, and each follower skips events
 * that it already has.
 */
import type { Clock, HearthError, StreamName } from "@hearth/protocol";
import type { Follower } from "./follower.ts";
import type { RawEvent } from "./frame.ts";
import { isTransientForStream } from "../transient.ts";
import type { Connection } from "./connection.ts";
import { observe } from "../observe.ts";

export interface Topic {
  join(follower: Follower): void;
  leave(follower: Follower): void;
  /** Subscribes on a new connection. */
  attach(connection: Connection): void;
  /** Reports that the connection is gone. */
  detach(error: HearthError): void;
  handleEvents(events: readonly RawEvent[]): void;
  handleRestart(): void;
  handleEnd(): void;
  close(): void;
}

export interface TopicOptions {
  readonly stream: StreamName;
  readonly clock: Clock;
  /** Called when the last follower has left. */
  readonly onEmpty: () => void;
}

/** Pause before a subscription is retried that the house refused temporarily. */
const RETRY_PAUSE_MS = 1_000;

export const createTopic = ({ stream, clock, onEmpty }: TopicOptions): Topic => {
  const isInMemory = stream.startsWith("deltas:") || stream.startsWith("live:");
  const followers = new Set<Follower>();
  let connection: Connection | undefined;
  /**
   * While `subscribing`, events that arrive are ignored: they belong to an earlier subscription,
   * and would leave a gap.
   */
  let state: "unsubscribed" | "subscribing" | "subscribed" = "unsubscribed";
  /** The number of subscriptions so far. An answer to an earlier one is ignored. */
  let subscriptionCount = 0;
  /** The offset after which the subscription continues. */
  let position = 0;
  /**
   * The first and the last event received. An in-memory stream may restart between two connections,
   * with other events under the same offsets. A later connection therefore requests the last event
   * again. If either event differs, the followers start again.
   */
  let firstEvent: RawEvent | undefined;
  let lastEvent: RawEvent | undefined;
  /** Whether the stream is certainly the one that was read before. */
  let isKnownStream = true;
  /** The epoch of `position`, as reported at the last subscription. */
  let epoch: string | undefined;

  const subscribe = (): void => {
    if (connection === undefined || followers.size === 0) return;
    if (state !== "unsubscribed") connection.sendRequest({ op: "unsubscribe", stream });
    state = "subscribing";
    subscriptionCount += 1;
    const subscriptionNumber = subscriptionCount;
    position = Math.min(...[...followers].map((follower) => follower.after()));
    if (!isKnownStream && lastEvent !== undefined) position = Math.min(position, lastEvent.offset - 1);
    connection.sendRequest(
      { op: "subscribe", stream, after: position, ...(epoch === undefined ? {} : { epoch }) },
      (refusal, houseEpoch) => {
        if (subscriptionNumber !== subscriptionCount) return;
        if (refusal !== undefined) return handleRefusal(refusal, subscriptionNumber);
        epoch = houseEpoch;
        state = "subscribed";
        for (const follower of [...followers]) follower.queueOpen();
      },
    );
  };

  const handleRefusal = (refusal: HearthError, subscriptionNumber: number): void => {
    state = "unsubscribed";
    if (!isTransientForStream(refusal)) return finish((follower) => follower.queueEnd(refusal));
    for (const follower of [...followers]) follower.queueLost(refusal);
    observe(
      clock.sleep(RETRY_PAUSE_MS).then(() => {
        if (subscriptionNumber === subscriptionCount && state === "unsubscribed") subscribe();
      }),
    );
  };

  const finish = (report: (follower: Follower) => void): void => {
    const currentFollowers = [...followers];
    followers.clear();
    for (const follower of currentFollowers) report(follower);
    onEmpty();
  };

  const startOver = (): void => {
    position = 0;
    firstEvent = undefined;
    lastEvent = undefined;
    isKnownStream = true;
    for (const follower of [...followers]) follower.queueRestarted();
  };

  /** Whether the event proves that the stream is not the one read before. */
  const isOfOtherStream = (event: RawEvent): boolean => {
    if (isKnownStream || lastEvent === undefined) return false;
    const receivedEvent = [firstEvent, lastEvent].find((message) => message?.offset === event.offset);
    if (receivedEvent !== undefined && receivedEvent.id !== event.id) return true;
    if (event.offset > lastEvent.offset) return true;
    isKnownStream = event.offset === lastEvent.offset;
    return false;
  };

  return {
    join(follower) {
      followers.add(follower);
      if (state === "unsubscribed" || follower.after() < position) subscribe();
      else if (state === "subscribed") follower.queueOpen();
    },
    leave(follower) {
      if (!followers.delete(follower) || followers.size > 0) return;
      if (state !== "unsubscribed") connection?.sendRequest({ op: "unsubscribe", stream });
      onEmpty();
    },
    attach(newConnection) {
      connection = newConnection;
      isKnownStream = !isInMemory || lastEvent === undefined;
      subscribe();
    },
    detach(error) {
      connection = undefined;
      state = "unsubscribed";
      for (const follower of [...followers]) follower.queueLost(error);
    },
    handleEvents(events) {
      if (state !== "subscribed") return;
      for (const event of events) {
        if (isOfOtherStream(event)) {
          startOver();
          return subscribe();
        }
        position = Math.max(position, event.offset);
        if (lastEvent === undefined || event.offset > lastEvent.offset) lastEvent = event;
        if (firstEvent === undefined || event.offset < firstEvent.offset) firstEvent = event;
        for (const follower of [...followers]) follower.queueEvent(event);
      }
    },
    handleRestart: startOver,
    handleEnd() {
      if (state === "subscribed") finish((follower) => follower.queueEnd());
    },
    close: () => finish((follower) => follower.close()),
  };
};
