/** One page of a stream, at once or as soon as there is something to put on it. */
import { type Clock, type EventPage, HearthError, type StoredEvent, type StreamName } from "@hearth/protocol";
import type { Lifetime } from "./lifetimes.ts";
import type { Source } from "./source.ts";

export interface PageRequest {
  readonly stream: StreamName;
  readonly after: number;
  readonly limit: number;
  /** How long to wait for a first event, in milliseconds. */
  readonly wait: number;
}

export const readPage = async (
  source: Source,
  clock: Clock,
  { stream, after, limit, wait }: PageRequest,
  begin: () => Lifetime,
): Promise<EventPage> => {
  if (after > 0 || wait > 0) {
    const start = await source.start(stream, after);
    if (start === "gone") return { events: [], next: after };
    if (start === "restarted") {
      throw new HearthError("stream.behind", `${stream} has begun anew and has not come to offset ${after} yet.`, {
        hint: "Read it again with after=0.",
      });
    }
  }
  const events = await source.of(stream).read(stream, after, limit);
  if (events.length > 0 || wait === 0) return toPage(events, after);
  const life = begin();
  void clock.sleep(wait, life.signal).then(life.end);
  try {
    for await (const batch of source.of(stream).follow(stream, after, life.signal))
      return toPage(batch.slice(0, limit), after);
    return toPage([], after);
  } finally {
    life.end();
  }
};

const toPage = (events: readonly StoredEvent[], after: number): EventPage => ({
  events: [...events],
  next: events.at(-1)?.offset ?? after,
});
