/**
 * One connection of a socket: pairs requests with answers, and detects dead connections with pings.
 */
import type { Clock, HearthError, SocketRequest, StreamName } from "@hearth/protocol";
import type { SocketEvents, SocketWire } from "../socket.ts";
import { type Frame, readFrame } from "./frame.ts";
import { observe } from "../observe.ts";

/** A request without its id, which the connection assigns. */
export type UnsentRequest =
  | { readonly op: "ping" }
  | { readonly op: "subscribe"; readonly stream: StreamName; readonly after: number; readonly epoch?: string }
  | { readonly op: "unsubscribe"; readonly stream: StreamName };

export interface Connection {
  /**
   * Sends a request. Answers arrive in the order of their requests. After the connection is gone,
   * no answer arrives.
   */
  sendRequest(request: UnsentRequest, onAnswer?: (refusal: HearthError | undefined, epoch?: string) => void): void;
  /** Sends a ping. If no data arrives within this time, the connection counts as gone. */
  probe(withinMs: number): void;
  /** Closes the connection without calling `onLost`. */
  close(): void;
}

export interface ConnectionOptions {
  readonly connect: (events: SocketEvents) => SocketWire;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onFrame: (frame: Exclude<Frame, { type: "answer" | "error" | "unknown" }>) => void;
  /**
   * Called once when the connection is gone, but not after `close`. Without a code, this side gave up
   * the connection.
   */
  readonly onLost: (code: number | undefined) => void;
}

const OPEN_TIMEOUT_MS = 10_000;
const PING_INTERVAL_MS = 20_000;
const PING_TIMEOUT_MS = 10_000;

export const createConnection = ({ connect, clock, onOpen, onFrame, onLost }: ConnectionOptions): Connection => {
  const lifetime = new AbortController();
  const pendingAnswers = new Map<number, (refusal: HearthError | undefined, epoch?: string) => void>();
  let lastId = 0;
  /** The number of frames received. */
  let framesReceived = 0;

  const endLifetime = (): boolean => {
    if (lifetime.signal.aborted) return false;
    lifetime.abort();
    return true;
  };
  /**
   * Gives up the connection after a suspension or an invalid frame. A new connection requests the
   * missed events.
   */
  const giveUp = (): void => {
    if (!endLifetime()) return;
    wire.close();
    onLost(undefined);
  };

  const sendRequest: Connection["sendRequest"] = (request, onAnswer) => {
    if (lifetime.signal.aborted) return;
    lastId += 1;
    if (onAnswer !== undefined) pendingAnswers.set(lastId, onAnswer);
    wire.send(JSON.stringify({ ...request, id: lastId } satisfies SocketRequest));
  };

  /** Gives up unless data arrives in time. */
  const expectWithin = async (ms: number): Promise<void> => {
    const earlierCount = framesReceived;
    await clock.sleep(ms, lifetime.signal);
    if (framesReceived === earlierCount) giveUp();
  };

  const sendPings = async (): Promise<void> => {
    while (!lifetime.signal.aborted) {
      await clock.sleep(PING_INTERVAL_MS, lifetime.signal);
      sendRequest({ op: "ping" });
      await expectWithin(PING_TIMEOUT_MS);
    }
  };

  const handleText = (text: string): void => {
    framesReceived += 1;
    const frame = readFrame(text);
    if (frame === undefined) return giveUp();
    switch (frame.type) {
      case "answer":
      case "error": {
        const onAnswer = frame.id === undefined ? undefined : pendingAnswers.get(frame.id);
        if (frame.id !== undefined) pendingAnswers.delete(frame.id);
        return frame.type === "error" ? onAnswer?.(frame.error) : onAnswer?.(undefined, frame.epoch);
      }
      case "unknown":
        return;
      default:
        return onFrame(frame);
    }
  };

  const wire = connect({
    open: () => {
      if (lifetime.signal.aborted) return;
      framesReceived += 1;
      observe(sendPings());
      onOpen();
    },
    message: (text) => {
      if (!lifetime.signal.aborted) handleText(text);
    },
    closed: (code) => {
      if (endLifetime()) onLost(code);
    },
  });
  observe(expectWithin(OPEN_TIMEOUT_MS));

  return {
    sendRequest,
    probe(withinMs) {
      sendRequest({ op: "ping" });
      observe(expectWithin(withinMs));
    },
    close() {
      if (endLifetime()) wire.close();
    },
  };
};
