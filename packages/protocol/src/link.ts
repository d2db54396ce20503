/** The link between warden and inmate: frames in order, whatever carries them. Knows bytes and memory, not processes. */
import { createDecoder, encodeMessage } from "./codec.ts";
import { isHearthError } from "./error.ts";
import { createMailbox } from "./mailbox.ts";

/** One side of a link. */
export interface Link<Sent, Received> {
  /** Queues one frame. After `close` it is dropped: the other side is gone. */
  send(frame: Sent): void;
  /** Frames of the other side, in order. Ends when the link closes; a broken one throws `cell.protocol`. */
  readonly frames: AsyncIterable<Received>;
  close(): void;
}

/** Two sides of one link in memory. Frames are handed over as they are: both sides treat them as read-only. */
export const createLinkPair = <Down, Up>(): readonly [Link<Down, Up>, Link<Up, Down>] => {
  const down = createMailbox<Down>();
  const up = createMailbox<Up>();
  const close = (): void => {
    down.close();
    up.close();
  };
  return [
    { send: (frame) => down.put(frame), frames: up, close },
    { send: (frame) => up.put(frame), frames: down, close },
  ];
};

/** What a byte link runs over: a pipe, a socket. */
export interface BytePipe {
  write(bytes: Uint8Array): void;
  readonly bytes: AsyncIterable<Uint8Array>;
  close(): void;
}

/** A link over bytes. What it receives is JSON and nothing more is promised: parse it. */
export const createByteLink = <Sent>(pipe: BytePipe): Link<Sent, unknown> => {
  let open = true;
  let stream = 0;
  const close = (): void => {
    if (!open) return;
    open = false;
    pipe.close();
  };
  const read = async function* (): AsyncGenerator<unknown> {
    const decoder = createDecoder();
    try {
      for await (const bytes of pipe.bytes) yield* decoder.push(bytes);
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
      stream = (stream + 1) >>> 0;
      pipe.write(encodeMessage(frame, stream));
    },
    frames: read(),
    close,
  };
};
