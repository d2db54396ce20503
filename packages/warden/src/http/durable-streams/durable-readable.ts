/**
 * One interface for reading all streams under `/v1/stream/`: byte streams, and events of rooms,
 * activations, agents and houses as JSON.
 */
import { hasEnded, type ByteStreamInfo, type ByteStreams, type Chunk } from "../../kernel/index.ts";
import type { Activations } from "../../turns/index.ts";
import { HearthError, type StoredEvent, type StreamName, type World, idOfStream, isStreamOf } from "@hearth/protocol";
import type { Lifetime } from "../lifetimes.ts";
import { streamBehindError, type Source } from "../source.ts";

export interface Readable {
  /** Unique, also among later streams at the same path. */
  readonly id: string;
  readonly contentType: string;
  /**
   * Returns the end of the stream, and whether it is closed, for a reader at an offset. Throws if
   * it does not exist.
   */
  state(offset: number): Promise<{ readonly tail: number; readonly isClosed: boolean }>;
  read(after: number): Promise<readonly Chunk[]>;
  /** Waits for chunks after the offset. Returns an empty list if no chunk can follow, or if `signal` aborts. */
  next(after: number, signal: AbortSignal): Promise<readonly Chunk[]>;
  /** Records a read, which extends the stream's life. */
  touch(): Promise<void>;
}

/** One read request with its context. */
export interface ReadContext {
  readonly readable: Readable;
  readonly request: Request;
  /** Epoch of the house's offsets. */
  readonly epoch: string;
  readonly world: Pick<World, "clock" | "random">;
  readonly begin: () => Lifetime;
}

export const streamNotFoundError = (): HearthError =>
  new HearthError("stream.not-found", "There is no stream at this path.");
export const streamGoneError = (): HearthError =>
  new HearthError("stream.gone", "This stream was removed. Only its forks exist.");

/** Adapts a byte stream to this interface. */
export const readableBytes = (bytes: ByteStreams, info: ByteStreamInfo): Readable => ({
  id: info.id,
  contentType: info.contentType,
  async state() {
    const currentInfo = await bytes.find(info);
    if (currentInfo === "gone") throw streamGoneError();
    if (currentInfo === "absent" || currentInfo.id !== info.id) throw streamNotFoundError();
    return currentInfo;
  },
  read: (after) => bytes.read(info.id, after),
  next: (after, signal) => bytes.next(info.id, after, signal),
  touch: () => bytes.touch(info),
});

/** Maximum number of events of one page. */
const EVENTS_PER_PAGE = 100;

/** Adapts events to this interface. Each event is one JSON message. */
export const readableEvents = (
  source: Source,
  activations: Pick<Activations, "get">,
  stream: StreamName,
): Readable => ({
  id: stream,
  contentType: "application/json",
  async state(offset) {
    const start = await source.resolveStart(stream, offset);
    // The stream is over and its events are gone: a reader with an offset has seen everything up to
    // it.
    if (start === "gone") return { tail: offset, isClosed: true };
    if (start === "restarted") throw streamBehindError(stream, "Read it again from -1.");
    // The state is read before the head, because the head of an ended stream no longer changes.
    const isClosed = isStreamOf(stream, "deltas") && hasEnded((await activations.get(idOfStream(stream))).state);
    return { tail: await source.streamsOf(stream).head(stream), isClosed };
  },
  read: async (after) => (await source.streamsOf(stream).read(stream, after, EVENTS_PER_PAGE)).map(toChunk),
  async next(after, signal) {
    const followAbort = new AbortController();
    const stop = (): void => followAbort.abort();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    try {
      for await (const batch of source.streamsOf(stream).follow(stream, after, followAbort.signal))
        return batch.map(toChunk);
      return [];
    } finally {
      stop();
      signal.removeEventListener("abort", stop);
    }
  },
  touch: async () => {},
});

const encoder = new TextEncoder();

const toChunk = (event: StoredEvent): Chunk => ({ offset: event.offset, bytes: encoder.encode(JSON.stringify(event)) });
