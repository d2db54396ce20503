/**
 * One stream on the wire, and everyone who follows it. The house holds one subscription per stream and socket, so it is taken at
 * the offset of who has least, and each follower passes over what it has.
 */
import { type Clock, type HearthError, type StreamName, isHearthError } from "@hearth/protocol";
import type { Follower } from "./follower.ts";
import type { RawEvent } from "./frame.ts";
import type { Connection } from "./connection.ts";

export interface Topic {
  join(follower: Follower): void;
  leave(follower: Follower): void;
  /** A line is open. */
  attach(line: Connection): void;
  /** It is gone. */
  detach(error: HearthError): void;
  events(events: readonly RawEvent[]): void;
  restarted(): void;
  ended(): void;
  close(): void;
}

export interface TopicOptions {
  readonly stream: StreamName;
  readonly clock: Clock;
  /** Nobody follows it any more. */
  readonly onEmpty: () => void;
}

/** Before a subscription is tried again that the house could not take just then. */
const AGAIN_MS = 1_000;

export const createTopic = ({ stream, clock, onEmpty }: TopicOptions): Topic => {
  const isInMemory = stream.startsWith("deltas:") || stream.startsWith("live:");
  const followers = new Set<Follower>();
  let line: Connection | undefined;
  /** `asking`: what arrives belongs to an earlier subscription, and would leave a gap. */
  let state: "apart" | "asking" | "subscribed" = "apart";
  /** Counts subscriptions, so that the answer to an earlier one is passed over. */
  let count = 0;
  /** The wire goes on after this offset. */
  let position = 0;
  /**
   * The first and the last event that came. An in-memory stream may begin anew between two lines, with other events under the same
   * offsets: so a later line asks for the last one again, and if one of these is another, everything is.
   */
  let first: RawEvent | undefined;
  let last: RawEvent | undefined;
  let isSame = true;
  /** What `position` belongs to, as the house said at the last subscription. */
  let epoch: string | undefined;

  const subscribe = (): void => {
    if (line === undefined || followers.size === 0) return;
    if (state !== "apart") line.ask({ op: "unsubscribe", stream });
    state = "asking";
    count += 1;
    const own = count;
    position = Math.min(...[...followers].map((follower) => follower.after()));
    if (!isSame && last !== undefined) position = Math.min(position, last.offset - 1);
    line.ask(
      { op: "subscribe", stream, after: position, ...(epoch === undefined ? {} : { epoch }) },
      (refusal, theirs) => {
        if (own !== count) return;
        if (refusal !== undefined) return refused(refusal, own);
        epoch = theirs;
        state = "subscribed";
        for (const follower of [...followers]) follower.open();
      },
    );
  };

  const refused = (refusal: HearthError, own: number): void => {
    state = "apart";
    if (!isPassing(refusal)) return finish((follower) => follower.end(refusal));
    for (const follower of [...followers]) follower.lost(refusal);
    void clock.sleep(AGAIN_MS).then(() => {
      if (own === count && state === "apart") subscribe();
    });
  };

  const finish = (tell: (follower: Follower) => void): void => {
    const all = [...followers];
    followers.clear();
    for (const follower of all) tell(follower);
    onEmpty();
  };

  const begin = (): void => {
    position = 0;
    first = undefined;
    last = undefined;
    isSame = true;
    for (const follower of [...followers]) follower.restarted();
  };

  /** Whether the event shows that the stream is not the one that was read before. */
  const isOther = (event: RawEvent): boolean => {
    if (isSame || last === undefined) return false;
    const known = [first, last].find((one) => one?.offset === event.offset);
    if (known !== undefined && known.id !== event.id) return true;
    if (event.offset > last.offset) return true;
    isSame = event.offset === last.offset;
    return false;
  };

  return {
    join(follower) {
      followers.add(follower);
      if (state === "apart" || follower.after() < position) subscribe();
      else if (state === "subscribed") follower.open();
    },
    leave(follower) {
      if (!followers.delete(follower) || followers.size > 0) return;
      if (state !== "apart") line?.ask({ op: "unsubscribe", stream });
      onEmpty();
    },
    attach(next) {
      line = next;
      isSame = !isInMemory || last === undefined;
      subscribe();
    },
    detach(error) {
      line = undefined;
      state = "apart";
      for (const follower of [...followers]) follower.lost(error);
    },
    events(events) {
      if (state !== "subscribed") return;
      for (const event of events) {
        if (isOther(event)) {
          begin();
          return subscribe();
        }
        position = Math.max(position, event.offset);
        if (last === undefined || event.offset > last.offset) last = event;
        if (first === undefined || event.offset < first.offset) first = event;
        for (const follower of [...followers]) follower.take(event);
      }
    },
    restarted: begin,
    ended() {
      if (state === "subscribed") finish((follower) => follower.end());
    },
    close: () => finish((follower) => follower.close()),
  };
};

/** As in `follow`: what a house says that has trouble of its own. */
const isPassing = (error: HearthError): boolean =>
  (["house.unreachable", "house.closing", "house.bug", "store.unavailable", "store.locked"] as const).some((code) =>
    isHearthError(error, code),
  );
