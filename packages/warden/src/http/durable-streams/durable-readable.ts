/** Whatever can be read under `/v1/stream/`, alike: streams of bytes, and what happens in rooms, activations, agents and houses as JSON. */
import { isOver, type ByteStreamInfo, type ByteStreams, type Chunk } from "../../kernel/index.ts";
import type { Activations } from "../../turns/index.ts";
import { type ActivationId, HearthError, type StoredEvent, type StreamName, type World } from "@hearth/protocol";
import type { Lifetime } from "../lifetimes.ts";
import { behind, type Source } from "../source.ts";

export interface Readable {
  /** Tells it from every other one, also from one that has its path later. */
  readonly id: string;
  readonly contentType: string;
  /** Where it ends, and whether that is the end of it, for a reader at an offset. Throws when it is not there (any more). */
  state(at: number): Promise<{ readonly tail: number; readonly isClosed: boolean }>;
  read(after: number): Promise<readonly Chunk[]>;
  /** The same, waiting for the first; none when nothing will come, or `signal` aborts. */
  next(after: number, signal: AbortSignal): Promise<readonly Chunk[]>;
  /** Somebody reads it. */
  touch(): Promise<void>;
}

/** One request to read, and what it takes to answer it. */
export interface Reading {
  readonly readable: Readable;
  readonly request: Request;
  /** What the house's offsets belong to. */
  readonly epoch: string;
  readonly world: Pick<World, "clock" | "random">;
  readonly longPollMs: number;
  readonly begin: () => Lifetime;
}

export const absent = (): HearthError => new HearthError("stream.not-found", "There is no stream at this path.");
export const gone = (): HearthError =>
  new HearthError("stream.gone", "This stream was removed; only its forks are left.");

/** One of somebody's own. */
export const readableBytes = (bytes: ByteStreams, info: ByteStreamInfo): Readable => ({
  id: info.id,
  contentType: info.contentType,
  async state() {
    const found = await bytes.find(info);
    if (found === "gone") throw gone();
    if (found === "absent" || found.id !== info.id) throw absent();
    return found;
  },
  read: (after) => bytes.read(info.id, after),
  next: (after, signal) => bytes.next(info.id, after, signal),
  touch: () => bytes.touch(info),
});

/** Events of one page at most. */
const PAGE = 100;

/** What happened, an event a message. */
export const readableEvents = (
  source: Source,
  activations: Pick<Activations, "get">,
  stream: StreamName,
): Readable => ({
  id: stream,
  contentType: "application/json",
  async state(at) {
    const start = await source.start(stream, at);
    // It is over, and nothing of it is left: whoever comes with an offset has seen what there was up to there.
    if (start === "gone") return { tail: at, isClosed: true };
    if (start === "restarted") throw behind(stream, "Read it again from -1.");
    // In this order: whatever is over has had its last event.
    const isClosed =
      stream.startsWith("deltas:") &&
      isOver((await activations.get(stream.slice("deltas:".length) as ActivationId)).state);
    return { tail: await source.of(stream).head(stream), isClosed };
  },
  read: async (after) => (await source.of(stream).read(stream, after, PAGE)).map(toChunk),
  async next(after, signal) {
    const life = new AbortController();
    const stop = (): void => life.abort();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    try {
      for await (const batch of source.of(stream).follow(stream, after, life.signal)) return batch.map(toChunk);
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
