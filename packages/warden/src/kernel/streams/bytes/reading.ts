/** Reads byte streams in pages, across the streams of a fork, and follows their ends. */
import type { StoredEvent } from "@hearth/protocol";
import type { DurableStreams } from "../streams.ts";
import type { ByteStreams, Chunk } from "./byte-streams.ts";
import { toChunk } from "./chunks.ts";
import type { StreamRows } from "./stream-rows.ts";

/** Maximum size of a page. A page ends with the chunk that exceeds either limit. */
const MAX_PAGE_BYTES = 1024 * 1024;
const MAX_PAGE_CHUNKS = 1_000;
/** Number of chunks per query. Each may be as large as a page. */
const CHUNKS_PER_QUERY = 16;

export const createReading = (streams: DurableStreams, streamRows: StreamRows): Pick<ByteStreams, "read" | "next"> => {
  const read: ByteStreams["read"] = async (id, after) => {
    const page: Chunk[] = [];
    let size = 0;
    let lastOffset = after;
    for (const { stream, base, upTo } of await streamRows.segments(id)) {
      while (lastOffset < upTo) {
        if (size >= MAX_PAGE_BYTES || page.length >= MAX_PAGE_CHUNKS) return page;
        const events = await streams.read(stream, lastOffset - base, Math.min(CHUNKS_PER_QUERY, upTo - lastOffset));
        for (const chunk of toPage(events, base)) {
          if (size >= MAX_PAGE_BYTES) return page;
          page.push(chunk);
          size += chunk.bytes.length;
          lastOffset = chunk.offset;
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
      const segment = (await streamRows.segments(id)).at(-1);
      if (page.length > 0 || segment === undefined || signal.aborted) return page;
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      signal.addEventListener("abort", stop);
      try {
        const batches = streams.follow(segment.stream, after - segment.base, controller.signal)[Symbol.asyncIterator]();
        const firstBatch = batches.next();
        // The state is checked after the wait, so that an end during the wait is noticed.
        if ((await streamRows.byId(id))?.state !== "open") return await read(id, after);
        const { value, done } = await firstBatch;
        return done === true ? await read(id, after) : toPage(value, segment.base);
      } finally {
        controller.abort();
        signal.removeEventListener("abort", stop);
      }
    },
  };
};

const toPage = (events: readonly StoredEvent[], base: number): readonly Chunk[] =>
  events.map((event) => toChunk(event, base + event.offset));
