/**
 * The link between warden and inmate: ordered frames over any transport. Independent of processes.
 */
import {
  type ByteStream,
  createStreamEndpoint,
  type StreamEndpoint,
  type StreamFrame,
  type StreamHandler,
} from "./byte-stream.ts";
import { createDecoder, encodePing, encodeMessage, encodeStreamFrame, type Ping } from "./codec.ts";
import { HearthError, isHearthError } from "../base/error.ts";
import { createMailbox } from "./mailbox.ts";

/**
 * Increased when a frame changes its meaning. The warden refuses a cell with another version at its
 * hello.
 */
export const LINK_VERSION = 9;

export interface Link<Sent, Received> {
  /** Queues one frame. Dropped after `close`. */
  send(frame: Sent): void;
  /**
   * Frames of the other side, in order. Ends when the link closes; throws `cell.protocol` if the
   * other side violates the protocol.
   */
  readonly frames: AsyncIterable<Received>;
  /** Opens a byte stream beside the frames. Frames never wait for its bytes. */
  openStream(label: string): ByteStream;
  /** Sets the handler of streams that the other side opens. Until then they are refused. */
  handleStreams(handler: StreamHandler): void;
  /**
   * Resolves when the other side's process has answered. Only the warden calls it. Never settles
   * after `close`.
   */
  ping(): Promise<void>;
  close(): void;
}

/**
 * Creates the two sides of one link in memory. Frames are passed by reference: both sides treat
 * them as read-only.
 */
export const createLinkPair = <Down, Up>(): readonly [Link<Down, Up>, Link<Up, Down>] => {
  const down = createMailbox<Down>();
  const up = createMailbox<Up>();
  // In memory, an invalid frame is a bug in Hearth: it ends the link for both sides.
  const deliverTo = (endpoint: () => StreamEndpoint) => (frame: StreamFrame) => {
    try {
      endpoint().receive(frame);
    } catch (error) {
      const linkError = error instanceof Error ? error : undefined;
      down.close(linkError);
      up.close(linkError);
    }
  };
  const warden: StreamEndpoint = createStreamEndpoint({ side: "warden", send: deliverTo(() => inmate) });
  const inmate: StreamEndpoint = createStreamEndpoint({ side: "inmate", send: deliverTo(() => warden) });
  const close = (): void => {
    down.close();
    up.close();
    warden.close();
    inmate.close();
  };
  return [
    {
      send: (frame) => down.put(frame),
      frames: up,
      close,
      openStream: warden.open,
      handleStreams: warden.setHandler,
      ping: answerPing,
    },
    {
      send: (frame) => up.put(frame),
      frames: down,
      close,
      openStream: inmate.open,
      handleStreams: inmate.setHandler,
      ping: answerPing,
    },
  ];
};

const answerPing = (): Promise<void> => Promise.resolve();

/** The transport of a byte link, such as a pipe or a socket. */
export interface BytePipe {
  /** Called in order. The returned promise resolves when there is room for more. */
  write(bytes: Uint8Array): void | Promise<void>;
  readonly bytes: AsyncIterable<Uint8Array>;
  close(): void;
}

/** Maximum backlog, plus the frames that one received chunk can cause. */
const MAX_UNSENT_FRAMES = 4096;

/** A link over bytes. Received frames are only known to be JSON; the caller must parse them. */
export const createByteLink = <Sent>(pipe: BytePipe, side: "warden" | "inmate"): Link<Sent, unknown> => {
  let isOpen = true;
  let messageCount = 0;
  /** Data frames are written one at a time, so that other frames wait for at most one of them. */
  let dataWrites: Promise<void> = Promise.resolve();
  /**
   * Stream frames that the pipe has not written yet. The other side can cause any number of them,
   * so a limit forces it to read.
   */
  let unsentFrames = 0;
  const write = async (bytes: Uint8Array): Promise<void> => pipe.write(bytes);
  /** Writes bytes that no caller waits for. A failure closes the link. */
  const writeUnawaited = (bytes: Uint8Array): void => {
    unsentFrames += 1;
    write(bytes).then(() => {
      unsentFrames -= 1;
    }, close);
  };
  const writeFrame = (frame: StreamFrame): Promise<void> | void => {
    if (!isOpen) return;
    if (frame.type !== "data") return writeUnawaited(encodeStreamFrame(frame));
    dataWrites = dataWrites.then(() => (isOpen ? pipe.write(encodeStreamFrame(frame)) : undefined));
    return dataWrites;
  };
  const streams = createStreamEndpoint({ side, send: writeFrame });
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    streams.close();
    pipe.close();
  };
  /** Unanswered pings, oldest first. */
  const pings: PromiseWithResolvers<void>[] = [];
  const onPing = (kind: Ping): void => {
    if (kind === "ping" && side === "inmate") return writeUnawaited(encodePing("pong"));
    const ping = kind === "pong" ? pings.shift() : undefined;
    if (ping === undefined)
      throw new HearthError("cell.protocol", "The link is broken: a ping or pong that this side does not expect.");
    ping.resolve();
  };
  const readMessages = async function* (): AsyncGenerator<unknown> {
    const decoder = createDecoder(streams.receive, onPing);
    try {
      for await (const bytes of pipe.bytes) {
        yield* decoder.push(bytes);
        if (unsentFrames > MAX_UNSENT_FRAMES)
          throw new HearthError("cell.protocol", "The link is broken: the other side does not read what it is sent.");
      }
    } catch (error) {
      if (isHearthError(error)) throw error;
      // A broken pipe ends the frames like a closed one. The owner of the process reports the
      // cause.
    } finally {
      close();
    }
  };
  return {
    send(frame) {
      if (!isOpen) return;
      messageCount = (messageCount + 1) >>> 0;
      write(encodeMessage(frame, messageCount)).catch(close);
    },
    frames: readMessages(),
    openStream: streams.open,
    handleStreams: streams.setHandler,
    ping() {
      const ping = Promise.withResolvers<void>();
      pings.push(ping);
      if (isOpen) writeUnawaited(encodePing("ping"));
      return ping.promise;
    },
    close,
  };
};
