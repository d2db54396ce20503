/**
 * Serves the streams of a fake house as pages or server-sent events. Only the streams of rooms
 * survive a restart.
 */
import { type AnyEvent, EventId, type Stored } from "@hearth/protocol";

export interface FakeStreams {
  append(name: string, event: AnyEvent): Stored;
  /** Ends the stream for its followers. */
  end(name: string): void;
  has(name: string): boolean;
  /** Answers a request for a stream like the real house. */
  read(name: string, request: Request): Response;
  /** Drops all streams except rooms. */
  forget(): void;
  /** Keeps only the first `count` events, as after restoring a backup. */
  restoreTo(name: string, count: number): void;
}

interface Stream {
  readonly events: Stored[];
  isEnded: boolean;
  readonly waitingReaders: Set<() => void>;
}

export const createFakeStreams = (freshId: (prefix: string) => string): FakeStreams => {
  const streams = new Map<string, Stream>();
  const streamOf = (name: string): Stream => {
    const stream = streams.get(name) ?? { events: [], isEnded: false, waitingReaders: new Set() };
    streams.set(name, stream);
    return stream;
  };
  const wakeReaders = ({ waitingReaders }: Stream): void => {
    for (const wake of waitingReaders) wake();
    waitingReaders.clear();
  };
  return {
    append(name, event) {
      const stream = streamOf(name);
      const storedEvent = { ...event, id: EventId.parse(freshId("evt")), offset: stream.events.length + 1 };
      stream.events.push(storedEvent);
      wakeReaders(stream);
      return storedEvent;
    },
    end(name) {
      const stream = streamOf(name);
      stream.isEnded = true;
      wakeReaders(stream);
    },
    has: (name) => streams.has(name),
    read(name, request) {
      const { searchParams } = new URL(request.url);
      const after = Number(searchParams.get("after") ?? 0);
      const stream = streamOf(name);
      if (request.headers.get("accept") === "text/event-stream") return follow(stream, after);
      const limit = Number(searchParams.get("limit") ?? 100);
      const head = stream.events.length;
      const before = searchParams.get("before");
      const end = before === null ? after + limit : before === "end" ? head : Number(before) - 1;
      const start = before === null ? after : Math.max(0, end - limit);
      const events = stream.events.slice(start, end);
      return Response.json({ events, next: events.at(-1)?.offset ?? start, head });
    },
    restoreTo: (name, count) => {
      streamOf(name).events.splice(count);
    },
    forget() {
      for (const name of streams.keys()) if (!name.startsWith("room:")) streams.delete(name);
    },
  };
};

const follow = (stream: Stream, start: number): Response => {
  const encoder = new TextEncoder();
  const isRestarted = start > stream.events.length;
  let after = isRestarted ? 0 : start;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(isRestarted ? "event: restarted\ndata: {}\n\n" : ": here\n\n"));
    },
    async pull(controller) {
      while (stream.events.length === after && !stream.isEnded) {
        await new Promise<void>((resolve) => stream.waitingReaders.add(resolve));
      }
      const nextEvent = stream.events[after];
      if (nextEvent === undefined) {
        controller.enqueue(encoder.encode("event: end\ndata: {}\n\n"));
        controller.close();
        return;
      }
      after += 1;
      controller.enqueue(encoder.encode(`id: ${nextEvent.offset}\ndata: ${JSON.stringify(nextEvent)}\n\n`));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};
