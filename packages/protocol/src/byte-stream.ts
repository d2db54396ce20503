/**
 * Byte streams beside the frames of a link: opened by either side, both ways, each with credit of its own, so that one whose reader is
 * slow waits alone. Knows nothing of what carries it.
 */
import { type ByteQueue, createByteQueue } from "./byte-queue.ts";
import { HearthError } from "./error.ts";

/** Bytes of a stream that may be under way in one direction without the reader having taken any. */
export const STREAM_WINDOW = 256 * 1024;
/** Streams that are open at once on a link at most, whoever opened them. One more is refused. */
export const MAX_STREAMS = 64;
export const MAX_STREAM_LABEL = 1024;
/** A piece of a stream on its way: small enough that a frame between two of them does not wait long. */
const MAX_PIECE = 16 * 1024;

/** One end of a stream. */
export interface ByteStream {
  /** What it is for, in the words of whoever opened it. */
  readonly label: string;
  /** What the other side writes, for one reader. Ends when that side has ended; throws `cell.lost` when the stream was given up. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Resolves once the bytes are on their way. After the stream is over they are dropped and it throws `cell.lost`. */
  write(bytes: Uint8Array): Promise<void>;
  /** No more will be written. Reading goes on. */
  end(): void;
  /** Gives up both directions at once. */
  reset(): void;
}

/** What the two ends say to each other. */
export type StreamFrame =
  | { readonly type: "open"; readonly stream: number; readonly label: string }
  | { readonly type: "data"; readonly stream: number; readonly bytes: Uint8Array }
  /** So many bytes more may be sent. */
  | { readonly type: "credit"; readonly stream: number; readonly size: number }
  | { readonly type: "end"; readonly stream: number }
  | { readonly type: "reset"; readonly stream: number };

/** Who takes the streams that the other side opens. */
export type StreamHandler = (stream: ByteStream) => void;

export interface StreamEnd {
  open(label: string): ByteStream;
  /** Until there is one, what the other side opens is refused. */
  handle(handler: StreamHandler): void;
  /** A frame of the other side. Throws `cell.protocol` on one that the other side could not rightly send. */
  take(frame: StreamFrame): void;
  /** The link is gone: every stream is over. */
  close(): void;
}

export interface StreamEndOptions {
  /** Streams are numbered by whoever opens them: the warden from 2, the inmate from 1, both in steps of two. */
  readonly side: "warden" | "inmate";
  /** In order. What it returns is waited for before more data is sent. */
  readonly put: (frame: StreamFrame) => void | Promise<void>;
}

interface State {
  readonly incoming: ByteQueue;
  /** Bytes that we may send, and whoever waits for some. */
  credit: number;
  more: PromiseWithResolvers<void> | undefined;
  /** Bytes that the other side may send. */
  owed: number;
  /** Bytes that our reader has taken and the other side was not told of. */
  taken: number;
  ended: boolean;
  otherEnded: boolean;
  over: boolean;
}

export const createStreamEnd = ({ side, put }: StreamEndOptions): StreamEnd => {
  const states = new Map<number, State>();
  let handler: StreamHandler | undefined;
  let nextOwn = side === "warden" ? 2 : 1;
  let nextOther = side === "warden" ? 1 : 2;
  let closed = false;

  const finish = (id: number, state: State, error?: Error): void => {
    if (state.over) return;
    state.over = true;
    states.delete(id);
    state.incoming.close(error);
    state.more?.resolve();
  };
  const finishIfEnded = (id: number, state: State): void => {
    if (state.ended && state.otherEnded) finish(id, state);
  };

  const close = (): void => {
    closed = true;
    for (const [id, state] of states) finish(id, state, lost());
  };
  /** Sends a frame that no caller waits for. A frame that cannot be sent ends every stream. */
  const post = (frame: Exclude<StreamFrame, { readonly type: "data" }>): void => {
    Promise.resolve(put(frame)).catch(close);
  };

  const begin = (id: number, label: string): { readonly state: State; readonly stream: ByteStream } => {
    const state: State = {
      incoming: createByteQueue(),
      credit: STREAM_WINDOW,
      more: undefined,
      owed: STREAM_WINDOW,
      taken: 0,
      ended: false,
      otherEnded: false,
      over: false,
    };
    states.set(id, state);
    let writing: Promise<void> = Promise.resolve();

    const send = async (bytes: Uint8Array): Promise<void> => {
      for (let at = 0; at < bytes.length;) {
        while (state.credit === 0 && !state.over) {
          state.more = Promise.withResolvers();
          await state.more.promise;
        }
        if (state.over || state.ended) throw lost();
        const piece = bytes.slice(at, at + Math.min(MAX_PIECE, state.credit));
        state.credit -= piece.length;
        at += piece.length;
        await put({ type: "data", stream: id, bytes: piece });
      }
    };
    /** Credit goes back when the reader asks for more: what it holds in hand counts as not yet taken. */
    const read = async function* (): AsyncGenerator<Uint8Array> {
      for await (const bytes of state.incoming) {
        yield bytes;
        state.taken += bytes.length;
        if (state.over || state.otherEnded || state.taken < STREAM_WINDOW / 2) continue;
        state.owed += state.taken;
        post({ type: "credit", stream: id, size: state.taken });
        state.taken = 0;
      }
    };
    return {
      state,
      stream: {
        label,
        bytes: read(),
        write(bytes) {
          const written = writing.then(() => send(bytes));
          writing = written.catch(() => {});
          return written;
        },
        end() {
          // `writing` never rejects.
          writing = writing.then(() => {
            if (state.ended || state.over) return;
            state.ended = true;
            post({ type: "end", stream: id });
            finishIfEnded(id, state);
          });
        },
        reset() {
          if (state.over) return;
          post({ type: "reset", stream: id });
          finish(id, state, lost());
        },
      },
    };
  };

  const takeOpen = (id: number, label: string): void => {
    if (id !== nextOther) throw broken(`stream ${id} is not the next one`);
    nextOther += 2;
    if (handler === undefined || states.size >= MAX_STREAMS) {
      post({ type: "reset", stream: id });
      return;
    }
    handler(begin(id, label).stream);
  };

  return {
    open(label) {
      const id = nextOwn;
      nextOwn += 2;
      const { state, stream } = begin(id, label);
      if (closed) finish(id, state, lost());
      else post({ type: "open", stream: id, label });
      return stream;
    },

    handle(next) {
      handler = next;
    },

    take(frame) {
      const { stream: id } = frame;
      if (frame.type === "open") return takeOpen(id, frame.label);
      const state = states.get(id);
      if (state === undefined) {
        // One that is over here may still be spoken of: the other side did not know yet.
        if (id < (id % 2 === nextOwn % 2 ? nextOwn : nextOther)) return;
        throw broken(`stream ${id} was never opened`);
      }
      switch (frame.type) {
        case "data":
          if (state.otherEnded) throw broken(`stream ${id} goes on after its end`);
          if (frame.bytes.length > state.owed) throw broken(`stream ${id} has sent more than it may`);
          state.owed -= frame.bytes.length;
          return state.incoming.put(frame.bytes);
        case "credit":
          if (state.credit + frame.size > STREAM_WINDOW) throw broken(`stream ${id} gives credit that nobody used`);
          state.credit += frame.size;
          return state.more?.resolve();
        case "end":
          state.otherEnded = true;
          state.incoming.close();
          return finishIfEnded(id, state);
        case "reset":
          return finish(id, state, lost());
      }
    },

    close,
  };
};

const broken = (what: string): HearthError => new HearthError("cell.protocol", `The link is broken: ${what}.`);
const lost = (): HearthError => new HearthError("cell.lost", "The stream was given up.");
