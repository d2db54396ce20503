/**
 * Caches the JSON of events and the socket frames of batches for all readers. Stored events and
 * batches are immutable, so the texts stay valid.
 */
import type { StoredEvent, StreamName } from "@hearth/protocol";
import { toBatches } from "./batches.ts";

export interface EventTexts {
  textOf(event: StoredEvent): string;
  /** Returns the frames for a batch of this stream. The same array gives the same frames. */
  frames(stream: StreamName, events: readonly StoredEvent[]): readonly string[];
}

export const createEventTexts = (): EventTexts => {
  /** Cached as long as the event or the batch exists. */
  const texts = new WeakMap<StoredEvent, string>();
  const framed = new WeakMap<readonly StoredEvent[], readonly string[]>();

  const textOf = (event: StoredEvent): string => {
    const known = texts.get(event);
    if (known !== undefined) return known;
    const text = JSON.stringify(event);
    texts.set(event, text);
    return text;
  };

  return {
    textOf: textOf,
    frames(stream, events) {
      const known = framed.get(events);
      if (known !== undefined) return known;
      const frames = toFrames(stream, events, textOf);
      framed.set(events, frames);
      return frames;
    },
  };
};

/** Builds the frame `events` from serialised events. */
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
