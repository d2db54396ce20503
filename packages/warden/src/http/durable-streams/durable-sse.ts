/**
 * Sends a stream as server-sent events at the pace of its reader. A `control` with the reader's
 * position follows each `data`, so that a client can resume.
 */
import type { Clock } from "@hearth/protocol";
import type { Chunk } from "../../kernel/index.ts";
import { essenceOf, isJson, formatOffset } from "../../kernel/lazy.ts";
import { bytesAnswer } from "../answer.ts";
import { PING_MS } from "../sse.ts";
import { joinChunks } from "./durable-body.ts";
import { cursorAfter } from "./durable-headers.ts";
import type { ReadContext } from "./durable-readable.ts";

/** Duration of a session. Clients then reconnect, so that caches in between can share data. */
const SESSION_MS = 60_000;

const encoder = new TextEncoder();

export const followBySse = (reading: ReadContext, start: number, cursor: string | null): Response => {
  const { readable, world } = reading;
  const isText = isJson(readable.contentType) || essenceOf(readable.contentType).startsWith("text/");

  const createControl = async (offset: number): Promise<{ readonly text: string; readonly isLast: boolean }> => {
    const { tail, isClosed } = await readable.state(offset);
    const isUpToDate = offset >= tail;
    const isLast = isClosed && isUpToDate;
    const controlEvent = {
      streamNextOffset: formatOffset(offset, reading.epoch),
      ...(isLast ? {} : { streamCursor: cursorAfter(cursor, world) }),
      ...(isUpToDate ? { upToDate: true } : {}),
      ...(isLast ? { streamClosed: true } : {}),
    };
    return { text: `event: control\ndata:${JSON.stringify(controlEvent)}\n\n`, isLast };
  };

  const createData = (chunks: readonly Chunk[]): string => {
    const bytes = joinChunks(readable.contentType, chunks);
    return `event: data\n${toLines(isText ? new TextDecoder().decode(bytes) : bytes.toBase64())}\n`;
  };

  /**
   * Yields all events for the reader. Ends quietly with the stream, the reader's rights, or the
   * session time.
   */
  const generateEvents = async function* (signal: AbortSignal): AsyncGenerator<string> {
    let offset = start;
    let toldOffset: number | undefined;
    let pendingChunks: Promise<readonly Chunk[]> | undefined;
    while (!signal.aborted) {
      const chunks =
        pendingChunks === undefined
          ? await readable.read(offset)
          : await waitForChunks(world.clock, pendingChunks, signal);
      if (chunks === "nothing") {
        yield ": ping\n\n";
        continue;
      }
      const isOver = pendingChunks !== undefined && chunks.length === 0;
      pendingChunks = undefined;
      if (signal.aborted) return;
      if (chunks.length > 0) {
        offset = chunks.at(-1)?.offset ?? offset;
        await readable.touch();
      }
      if (chunks.length > 0 || toldOffset !== offset || isOver) {
        const { text, isLast } = await createControl(offset);
        yield (chunks.length > 0 ? createData(chunks) : "") + text;
        if (isLast || isOver) return;
        toldOffset = offset;
      }
      if (chunks.length === 0) pendingChunks = readable.next(offset, signal);
    }
  };

  const openSession = (): Session => {
    const life = reading.begin();
    world.clock.sleep(SESSION_MS, life.signal).then(life.end, life.end);
    return { end: life.end, texts: generateEvents(life.signal) };
  };
  return bytesAnswer(toBody(openSession), 200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-store",
    ...(isText ? {} : { "stream-sse-data-encoding": "base64" }),
  });
};

/** Resolves to the chunks, or to `nothing` when a ping is due before. */
const waitForChunks = async (
  clock: Pick<Clock, "sleep">,
  pendingChunks: Promise<readonly Chunk[]>,
  signal: AbortSignal,
): Promise<readonly Chunk[] | "nothing"> => {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([pendingChunks, clock.sleep(PING_MS, controller.signal).then(() => "nothing" as const)]);
  } finally {
    controller.abort();
    signal.removeEventListener("abort", stop);
  }
};

/** The events of one reader, until it ends them. */
interface Session {
  readonly end: () => void;
  readonly texts: AsyncGenerator<string>;
}

/**
 * Makes the response body of the events. The first pull opens the session, so that an unread
 * response keeps nothing running.
 */
const toBody = (openSession: () => Session): ReadableStream<Uint8Array> => {
  let session: Session | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        session ??= openSession();
        try {
          const { value, done } = await session.texts.next();
          if (done !== true) return controller.enqueue(encoder.encode(value));
        } catch {
          // The stream was removed or cannot be read. The reader reconnects and gets the error.
        }
        session.end();
        controller.close();
      },
      cancel() {
        session?.end();
      },
    },
    { highWaterMark: 0 },
  );
};

/**
 * Splits at every line break that a reader recognises, so that no text can forge an event. Readers
 * drop one space after the colon.
 */
const toLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data:${line.startsWith(" ") ? " " : ""}${line}\n`)
    .join("");
