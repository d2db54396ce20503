/**
 * Sends a stream as server-sent events at the pace of its reader, so that a slow reader costs one
 * batch of memory. The SSE id of an event is `OFFSET-EPOCH`.
 */
import type { Clock, StoredEvent, StreamName } from "@hearth/protocol";
import { eventStreamAnswer } from "./answer.ts";
import type { Lifetime } from "./lifetimes.ts";
import { toBatches } from "./batches.ts";
import { isInMemory, type Source } from "./source.ts";
import type { EventTexts } from "./event-texts.ts";

/** Interval of pings, short enough for proxies to keep the connection. */
export const PING_MS = 15_000;

const encoder = new TextEncoder();

export const streamEvents = async (options: {
  readonly source: Source;
  readonly texts: EventTexts;
  readonly clock: Clock;
  readonly stream: StreamName;
  readonly after: number;
  readonly epoch?: string | undefined;
  readonly begin: () => Lifetime;
}): Promise<Response> => {
  const { source, texts, clock, stream, begin } = options;
  const start = await source.resolveStart(stream, options.after, options.epoch);
  const after = start === "restarted" ? 0 : options.after;
  // The comment makes the platform send the headers, although there may be no event for a long
  // time.
  const openingText = `: ${stream}\n\n${start === "restarted" ? toControlEvent("restarted") : ""}${start === "gone" ? toControlEvent("end") : ""}`;
  if (start === "gone") return eventStreamAnswer(new Response(openingText).body ?? new ReadableStream());

  // Begun by the first pull, so that an unread response keeps nothing running.
  let reading: { readonly life: Lifetime; readonly batches: AsyncIterator<readonly StoredEvent[]> } | undefined;
  let pendingResult: Promise<IteratorResult<readonly StoredEvent[]>> | undefined;
  /** The rest of the last batch that the reader has not taken. */
  let pieces: string[] = [];

  const toText = (event: StoredEvent): string =>
    `id: ${event.offset}-${source.epoch}\ndata: ${texts.textOf(event)}\n\n`;

  const readText = async (
    life: Lifetime,
    batches: AsyncIterator<readonly StoredEvent[]>,
  ): Promise<string | undefined> => {
    pendingResult ??= batches.next();
    const result = await withPingTimeout(pendingResult, clock);
    if (result === "ping") return ": ping\n\n";
    pendingResult = undefined;
    if (result.done !== true) {
      pieces = toBatches(result.value.map(toText)).map((piece) => piece.join(""));
      return pieces.shift();
    }
    const hasEnded = isInMemory(stream) && !life.signal.aborted;
    life.end();
    if (!hasEnded) return undefined;
    pendingResult = Promise.resolve({ done: true, value: undefined });
    return toControlEvent("end");
  };

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text: string | undefined;
        if (reading === undefined) {
          const life = begin();
          const batches = source.streamsOf(stream).follow(stream, after, life.signal)[Symbol.asyncIterator]();
          // A follower between two batches does not see the signal, so it is returned here.
          life.signal.addEventListener("abort", () => {
            // The client has gone, so an error of the follower has no recipient.
            batches.return?.().catch(() => undefined);
          });
          reading = { life, batches };
          text = openingText;
        } else text = pieces.shift() ?? (await readText(reading.life, reading.batches));
        if (text === undefined) controller.close();
        else controller.enqueue(encoder.encode(text));
      },
      cancel() {
        reading?.life.end();
      },
    },
    { highWaterMark: 0 },
  );
  return eventStreamAnswer(body);
};

const withPingTimeout = async <Value>(pendingValue: Promise<Value>, clock: Clock): Promise<Value | "ping"> => {
  const controller = new AbortController();
  try {
    return await Promise.race([pendingValue, clock.sleep(PING_MS, controller.signal).then(() => "ping" as const)]);
  } finally {
    controller.abort();
  }
};

const toControlEvent = (name: "restarted" | "end"): string => `event: ${name}\ndata: {}\n\n`;
