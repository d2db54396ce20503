/** The link between warden and inmate: frames in order, whatever carries them. Knows bytes and memory, not processes. */
import {
  type ByteStream,
  createStreamEnd,
  type StreamEnd,
  type StreamFrame,
  type StreamHandler,
} from "./byte-stream.ts";
import { createDecoder, encodePing, encodeMessage, encodeStreamFrame, type Ping } from "./codec.ts";
import { HearthError, isHearthError } from "./error.ts";
import { createMailbox } from "./mailbox.ts";

/** Raised when a frame changes its meaning. A cell with another version is refused at its hello. */
export const LINK_VERSION = 5;

/** One side of a link. */
export interface Link<Sent, Received> {
  /** Queues one frame. After `close` it is dropped: the other side is gone. */
  send(frame: Sent): void;
  /** Frames of the other side, in order. Ends when the link closes; a broken one throws `cell.protocol`. */
  readonly frames: AsyncIterable<Received>;
  /** A byte stream beside the frames. Frames never wait for its bytes. */
  openStream(label: string): ByteStream;
  /** Who takes the streams that the other side opens; before there is one they are refused. */
  handleStreams(handler: StreamHandler): void;
  /** For the warden: resolves when the other side's process has answered. It never does after `close`. */
  ping(): Promise<void>;
  close(): void;
}

/** Two sides of one link in memory. Frames are handed over as they are: both sides treat them as read-only. */
export const createLinkPair = <Down, Up>(): readonly [Link<Down, Up>, Link<Up, Down>] => {
  const down = createMailbox<Down>();
  const up = createMailbox<Up>();
  // A frame that the other side could not rightly send comes from our own code here: it ends the link for both.
  const carry = (end: () => StreamEnd) => (frame: StreamFrame) => {
    try {
      end().take(frame);
    } catch (error) {
      const broken = error instanceof Error ? error : undefined;
      down.close(broken);
      up.close(broken);
    }
  };
  const warden: StreamEnd = createStreamEnd({ side: "warden", put: carry(() => inmate) });
  const inmate: StreamEnd = createStreamEnd({ side: "inmate", put: carry(() => warden) });
  const close = (): void => {
    down.close();
    up.close();
    warden.close();
    inmate.close();
  };
  return [
    {
      ...{ send: (frame) => down.put(frame), frames: up, close },
      ...{ openStream: warden.open, handleStreams: warden.handle, ping: answered },
    },
    {
      ...{ send: (frame) => up.put(frame), frames: down, close },
      ...{ openStream: inmate.open, handleStreams: inmate.handle, ping: answered },
    },
  ];
};

/** Both sides of a pair live in one process. */
const answered = (): Promise<void> => Promise.resolve();

/** What a byte link runs over: a pipe, a socket. */
export interface BytePipe {
  /** In the order of the calls. What it returns resolves when there is room for more. */
  write(bytes: Uint8Array): void | Promise<void>;
  readonly bytes: AsyncIterable<Uint8Array>;
  close(): void;
}

/** What a chunk of the other side can lead to comes on top. */
const MAX_UNSENT = 4096;

/** A link over bytes. What it receives is JSON and nothing more is promised: parse it. */
export const createByteLink = <Sent>(pipe: BytePipe, side: "warden" | "inmate"): Link<Sent, unknown> => {
  let open = true;
  let count = 0;
  /** Data of streams goes piece by piece, so that a frame waits for one of them at most. */
  let data: Promise<void> = Promise.resolve();
  /** Frames of streams that the pipe has not taken. The other side decides how many there are, so it has to read them. */
  let unsent = 0;
  const write = async (bytes: Uint8Array): Promise<void> => pipe.write(bytes);
  /** Writes what no caller waits for. A pipe that fails closes the link. */
  const putBytes = (bytes: Uint8Array): void => {
    unsent += 1;
    write(bytes).then(() => {
      unsent -= 1;
    }, close);
  };
  const put = (frame: StreamFrame): Promise<void> | void => {
    if (!open) return;
    if (frame.type !== "data") return putBytes(encodeStreamFrame(frame));
    data = data.then(() => (open ? pipe.write(encodeStreamFrame(frame)) : undefined));
    return data;
  };
  const streams = createStreamEnd({ side, put });
  const close = (): void => {
    if (!open) return;
    open = false;
    streams.close();
    pipe.close();
  };
  /** Pings that were not answered yet, oldest first. */
  const pings: PromiseWithResolvers<void>[] = [];
  const onPing = (kind: Ping): void => {
    if (kind === "ping" && side === "inmate") return putBytes(encodePing("pong"));
    const ping = kind === "pong" ? pings.shift() : undefined;
    if (ping === undefined)
      throw new HearthError("cell.protocol", "The link is broken: a ping or pong that this side does not expect.");
    ping.resolve();
  };
  const read = async function* (): AsyncGenerator<unknown> {
    const decoder = createDecoder(streams.take, onPing);
    try {
      for await (const bytes of pipe.bytes) {
        yield* decoder.push(bytes);
        if (unsent > MAX_UNSENT)
          throw new HearthError("cell.protocol", "The link is broken: the other side does not read.");
      }
    } catch (error) {
      if (isHearthError(error)) throw error;
      // A pipe that breaks is a pipe that ended: whoever holds the process says why.
    } finally {
      close();
    }
  };
  return {
    send(frame) {
      if (!open) return;
      count = (count + 1) >>> 0;
      write(encodeMessage(frame, count)).catch(close);
    },
    frames: read(),
    openStream: streams.open,
    handleStreams: streams.handle,
    ping() {
      const ping = Promise.withResolvers<void>();
      pings.push(ping);
      if (open) putBytes(encodePing("ping"));
      return ping.promise;
    },
    close,
  };
};
