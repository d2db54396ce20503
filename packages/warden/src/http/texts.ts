/**
 * Events as JSON, and batches of them as frames of a socket: made once, however many readers they go to. A stored event is never
 * written to, and neither is a batch, so their texts hold.
 */
import type { StoredEvent, StreamName } from "@hearth/protocol";
import { toBatches } from "./batches.ts";

export interface Texts {
  of(event: StoredEvent): string;
  /** The frames that bring a batch of this stream. Who is given the same array as others is given the same frames. */
  frames(stream: StreamName, events: readonly StoredEvent[]): readonly string[];
}

export const createTexts = (): Texts => {
  /** A text goes with its event, and frames with their batch. */
  const texts = new WeakMap<StoredEvent, string>();
  const framed = new WeakMap<readonly StoredEvent[], readonly string[]>();

  const of = (event: StoredEvent): string => {
    const known = texts.get(event);
    if (known !== undefined) return known;
    const text = JSON.stringify(event);
    texts.set(event, text);
    return text;
  };

  return {
    of,
    frames(stream, events) {
      const known = framed.get(events);
      if (known !== undefined) return known;
      const frames = toFrames(stream, events, of);
      framed.set(events, frames);
      return frames;
    },
  };
};

/** The frame `events`, put together from what is JSON already. */
const toFrames = (
  stream: StreamName,
  events: readonly StoredEvent[],
  toText: (event: StoredEvent) => string,
): readonly string[] => {
  let next = events[0]?.offset ?? 0;
  return toBatches(events.map(toText)).map((piece) => {
    next += piece.length;
    return `{"type":"events","stream":"${stream}","events":[${piece.join(",")}],"next":${next - 1}}`;
  });
};
