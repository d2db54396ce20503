/**
 * Byte streams beside the frames of a link. Either side opens them; they carry bytes in both
 * directions. Each stream has its own credit, so that a slow reader delays only its own stream.
 * Independent of the transport.
 */
import { type ByteQueue, createByteQueue } from "./byte-queue.ts";
import { HearthError } from "../base/error.ts";

/** Maximum number of unread bytes in flight in one direction of a stream. */
export const STREAM_WINDOW = 256 * 1024;
/** Maximum number of open streams per link, counting both sides. Further ones are refused. */
export const MAX_STREAMS = 64;
export const MAX_STREAM_LABEL = 1024;
/** Size of a data frame. Small, so that other frames do not wait long. */
const MAX_PIECE_BYTES = 16 * 1024;

export interface ByteStream {
  /** The purpose of the stream, chosen by the side that opened it. */
  readonly label: string;
  /**
   * The bytes that the other side writes, for one reader. Ends when the other side ends; throws `cell.lost`
   * when the stream is reset.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * Resolves once the bytes are sent. After the stream is over, drops the bytes and throws
   * `cell.lost`.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends our direction. The other side can still write. */
  end(): void;
  /** Ends both directions at once. */
  reset(): void;
}

/** The frames that the two ends exchange. */
export type StreamFrame =
  | { readonly type: "open"; readonly stream: number; readonly label: string }
  | { readonly type: "data"; readonly stream: number; readonly bytes: Uint8Array }
  /** Allows `size` further bytes. */
  | { readonly type: "credit"; readonly stream: number; readonly size: number }
  | { readonly type: "end"; readonly stream: number }
  | { readonly type: "reset"; readonly stream: number };

/** Receives the streams that the other side opens. */
export type StreamHandler = (stream: ByteStream) => void;

export interface StreamEndpoint {
  open(label: string): ByteStream;
  /** Sets the handler of incoming streams. Until then they are refused. */
  setHandler(handler: StreamHandler): void;
  /** Takes a frame of the other side. Throws `cell.protocol` if the frame violates the protocol. */
  receive(frame: StreamFrame): void;
  /** Ends every stream, because the link is gone. */
  close(): void;
}

export interface StreamEndpointOptions {
  /**
   * Determines stream numbers: the warden counts from 2, the inmate from 1, both in steps of two.
   */
  readonly side: "warden" | "inmate";
  /** Called in order. Further data is sent only after the returned promise resolves. */
  readonly send: (frame: StreamFrame) => void | Promise<void>;
}

interface StreamState {
  readonly incoming: ByteQueue;
  /** Bytes that we may send; `newCredit` resolves when there is credit again. */
  credit: number;
  newCredit: PromiseWithResolvers<void> | undefined;
  /** Bytes that the other side may send. */
  otherCredit: number;
  /** Bytes that our reader has taken, not yet credited to the other side. */
  unreportedBytes: number;
  isEnded: boolean;
  isOtherEnded: boolean;
  isOver: boolean;
}

export const createStreamEndpoint = ({ side, send: sendFrame }: StreamEndpointOptions): StreamEndpoint => {
  const states = new Map<number, StreamState>();
  let handler: StreamHandler | undefined;
  let nextOwnId = side === "warden" ? 2 : 1;
  let nextOtherId = side === "warden" ? 1 : 2;
  let isClosed = false;

  const finish = (id: number, state: StreamState, error?: Error): void => {
    if (state.isOver) return;
    state.isOver = true;
    states.delete(id);
    state.incoming.close(error);
    state.newCredit?.resolve();
  };
  const finishIfEnded = (id: number, state: StreamState): void => {
    if (state.isEnded && state.isOtherEnded) finish(id, state);
  };

  const close = (): void => {
    isClosed = true;
    for (const [id, state] of states) finish(id, state, closedStreamError());
  };
  /** Sends a frame that no caller waits for. A failure ends every stream. */
  const post = (frame: Exclude<StreamFrame, { readonly type: "data" }>): void => {
    Promise.resolve(sendFrame(frame)).catch(close);
  };

  const begin = (id: number, label: string): { readonly state: StreamState; readonly stream: ByteStream } => {
    const state: StreamState = {
      incoming: createByteQueue(),
      credit: STREAM_WINDOW,
      newCredit: undefined,
      otherCredit: STREAM_WINDOW,
      unreportedBytes: 0,
      isEnded: false,
      isOtherEnded: false,
      isOver: false,
    };
    states.set(id, state);
    let writing: Promise<void> = Promise.resolve();

    const send = async (bytes: Uint8Array): Promise<void> => {
      for (let offset = 0; offset < bytes.length;) {
        while (state.credit === 0 && !state.isOver) {
          state.newCredit = Promise.withResolvers();
          await state.newCredit.promise;
        }
        if (state.isOver || state.isEnded) throw closedStreamError();
        const piece = bytes.slice(offset, offset + Math.min(MAX_PIECE_BYTES, state.credit));
        state.credit -= piece.length;
        offset += piece.length;
        await sendFrame({ type: "data", stream: id, bytes: piece });
      }
    };
    /**
     * Returns credit when the reader asks for the next piece; the piece that it holds counts as
     * unread.
     */
    const read = async function* (): AsyncGenerator<Uint8Array> {
      for await (const bytes of state.incoming) {
        yield bytes;
        state.unreportedBytes += bytes.length;
        if (state.isOver || state.isOtherEnded || state.unreportedBytes < STREAM_WINDOW / 2) continue;
        state.otherCredit += state.unreportedBytes;
        post({ type: "credit", stream: id, size: state.unreportedBytes });
        state.unreportedBytes = 0;
      }
    };
    return {
      state,
      stream: {
        label,
        bytes: read(),
        write(bytes) {
          const sending = writing.then(() => send(bytes));
          writing = sending.catch(() => {});
          return sending;
        },
        end() {
          // `writing` never rejects.
          writing = writing.then(() => {
            if (state.isEnded || state.isOver) return;
            state.isEnded = true;
            post({ type: "end", stream: id });
            finishIfEnded(id, state);
          });
        },
        reset() {
          if (state.isOver) return;
          post({ type: "reset", stream: id });
          finish(id, state, closedStreamError());
        },
      },
    };
  };

  const acceptStream = (id: number, label: string): void => {
    if (id !== nextOtherId) throw brokenLinkError(`stream ${id} is not the next one`);
    nextOtherId += 2;
    if (handler === undefined || states.size >= MAX_STREAMS) {
      post({ type: "reset", stream: id });
      return;
    }
    handler(begin(id, label).stream);
  };

  return {
    open(label) {
      const id = nextOwnId;
      nextOwnId += 2;
      const { state, stream } = begin(id, label);
      if (isClosed) finish(id, state, closedStreamError());
      else post({ type: "open", stream: id, label });
      return stream;
    },

    setHandler(newHandler) {
      handler = newHandler;
    },

    receive(frame) {
      const { stream: id } = frame;
      if (frame.type === "open") return acceptStream(id, frame.label);
      const state = states.get(id);
      if (state === undefined) {
        // Frames of a finished stream are legal: the other side may have sent them before it knew.
        if (id < (id % 2 === nextOwnId % 2 ? nextOwnId : nextOtherId)) return;
        throw brokenLinkError(`stream ${id} was never opened`);
      }
      switch (frame.type) {
        case "data":
          if (state.isOtherEnded) throw brokenLinkError(`stream ${id} sent data after its end`);
          if (frame.bytes.length > state.otherCredit)
            throw brokenLinkError(`stream ${id} sent more bytes than its credit allows`);
          state.otherCredit -= frame.bytes.length;
          return state.incoming.put(frame.bytes);
        case "credit":
          if (state.credit + frame.size > STREAM_WINDOW)
            throw brokenLinkError(`stream ${id} returned more credit than was used`);
          state.credit += frame.size;
          return state.newCredit?.resolve();
        case "end":
          state.isOtherEnded = true;
          state.incoming.close();
          return finishIfEnded(id, state);
        case "reset":
          return finish(id, state, closedStreamError());
      }
    },

    close,
  };
};

const brokenLinkError = (problem: string): HearthError =>
  new HearthError("cell.protocol", `The link is broken: ${problem}.`);
const closedStreamError = (): HearthError =>
  new HearthError("cell.lost", "The byte stream was closed before it ended.");
