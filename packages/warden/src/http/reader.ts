/**
 * Reads one page of a stream, forward or backward from an offset, at once or after waiting for a
 * first event.
 */
import type { Clock, EventPage, StoredEvent, StreamName } from "@hearth/protocol";
import type { Lifetime } from "./lifetimes.ts";
import { streamBehindError, type Source } from "./source.ts";

export interface PageRequest {
  readonly stream: StreamName;
  readonly after: number;
  readonly epoch?: string | undefined;
  readonly limit: number;
  /** How long to wait for a first event, in milliseconds. */
  readonly wait: number;
}

export const readPage = async (
  source: Source,
  clock: Clock,
  { stream, after, epoch, limit, wait }: PageRequest,
  begin: () => Lifetime,
): Promise<EventPage> => {
  // The head is read after the events, so that no event of the page is past it.
  const toPage = async (events: readonly StoredEvent[]): Promise<EventPage> => ({
    events: [...events],
    next: events.at(-1)?.offset ?? after,
    head: await source.streamsOf(stream).head(stream),
    epoch: source.epoch,
  });
  if (after > 0 || wait > 0) {
    const start = await source.resolveStart(stream, after, epoch);
    if (start === "gone") return { events: [], next: after, head: 0, epoch: source.epoch };
    if (start === "restarted") throw streamBehindError(stream, "Read it again with after=0.");
  }
  const events = await source.streamsOf(stream).read(stream, after, limit);
  if (events.length > 0 || wait === 0) return toPage(events);
  const lifetime = begin();
  clock.sleep(wait, lifetime.signal).then(lifetime.end, lifetime.end);
  try {
    for await (const batch of source.streamsOf(stream).follow(stream, after, lifetime.signal))
      return await toPage(batch.slice(0, limit));
    return await toPage([]);
  } finally {
    lifetime.end();
  }
};

/** Returns the last events before an offset, or before the end. */
export const readPageBefore = async (
  source: Source,
  { stream, before, limit }: { readonly stream: StreamName; readonly before: number | "end"; readonly limit: number },
): Promise<EventPage> => {
  const head = await source.streamsOf(stream).head(stream);
  const lastOffset = before === "end" ? head : Math.min(before - 1, head);
  const events = await source.streamsOf(stream).read(stream, Math.max(0, lastOffset - limit), limit);
  // An in-memory stream begins at its oldest remaining event, which may be past the page.
  const page = events.filter(({ offset }) => offset <= lastOffset);
  return { events: page, next: page.at(-1)?.offset ?? lastOffset, head, epoch: source.epoch };
};
