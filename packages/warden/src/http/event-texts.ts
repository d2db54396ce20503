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
  const framesByBatch = new WeakMap<readonly StoredEvent[], readonly string[]>();

  const textOf = (event: StoredEvent): string => {
    const cachedText = texts.get(event);
    if (cachedText !== undefined) return cachedText;
    const text = JSON.stringify(event);
    texts.set(event, text);
    return text;
  };

  return {
    textOf,
    frames(stream, events) {
      const cachedFrames = framesByBatch.get(events);
      if (cachedFrames !== undefined) return cachedFrames;
      const frames = toFrames(stream, events, textOf);
      framesByBatch.set(events, frames);
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
  let nextOffset = events[0]?.offset ?? 0;
  return toBatches(events.map(toText)).map((piece) => {
    nextOffset += piece.length;
    return `{"type":"events","stream":"${stream}","events":[${piece.join(",")}],"next":${nextOffset - 1}}`;
  });
};
