/** Reads byte streams in pages, across the streams of a fork, and follows their ends. */
import type { StoredEvent } from "@hearth/protocol";
import type { DurableStreams } from "../streams.ts";
import type { ByteStreams, Chunk } from "./byte-streams.ts";
import { toChunk } from "./chunks.ts";
import type { StreamRows } from "./stream-rows.ts";

/** Maximum size of a page. A page ends with the chunk that exceeds either limit. */
const PAGE_SIZE = 1024 * 1024;
const PAGE_LENGTH = 1_000;
/** Number of chunks per query. Each may be as large as a page. */
const CHUNKS_PER_QUERY = 16;

export const createReading = (streams: DurableStreams, shelf: StreamRows): Pick<ByteStreams, "read" | "next"> => {
  const read: ByteStreams["read"] = async (id, after) => {
    const page: Chunk[] = [];
    let size = 0;
    let last = after;
    for (const { stream, base, upTo } of await shelf.segments(id)) {
      while (last < upTo) {
        if (size >= PAGE_SIZE || page.length >= PAGE_LENGTH) return page;
        const events = await streams.read(stream, last - base, Math.min(CHUNKS_PER_QUERY, upTo - last));
        for (const chunk of toPage(events, base)) {
          if (size >= PAGE_SIZE) return page;
          page.push(chunk);
          size += chunk.bytes.length;
          last = chunk.offset;
        }
        if (events.length === 0) break;
      }
    }
    return page;
  };

  return {
    read,
    async next(id, after, signal) {
      const page = await read(id, after);
      const segment = (await shelf.segments(id)).at(-1);
      if (page.length > 0 || segment === undefined || signal.aborted) return page;
      const life = new AbortController();
      const stop = (): void => life.abort();
      signal.addEventListener("abort", stop);
      try {
        const batches = streams.follow(segment.stream, after - segment.base, life.signal)[Symbol.asyncIterator]();
        const first = batches.next();
        // The state is checked after the wait, so that an end during the wait is noticed.
        if ((await shelf.byId(id))?.state !== "open") return await read(id, after);
        const { value, done } = await first;
        return done === true ? await read(id, after) : toPage(value, segment.base);
      } finally {
        life.abort();
        signal.removeEventListener("abort", stop);
      }
    },
  };
};

const toPage = (events: readonly StoredEvent[], base: number): readonly Chunk[] =>
  events.map((event) => toChunk(event, base + event.offset));
