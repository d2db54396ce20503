/**
 * One connection of a socket: pairs requests with answers, and detects dead connections with pings.
 */
import type { Clock, HearthError, SocketRequest, StreamName } from "@hearth/protocol";
import type { SocketOptions } from "../socket.ts";
import { type Frame, readFrame } from "./frame.ts";

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
  ask(request: UnsentRequest, onAnswer?: (refusal: HearthError | undefined, epoch?: string) => void): void;
  /** Sends a ping. If no data arrives within this time, the connection counts as gone. */
  probe(withinMs: number): void;
  /** Closes the connection without calling `onGone`. */
  cut(): void;
}

export interface ConnectionOptions {
  readonly connect: SocketOptions["connect"];
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onFrame: (frame: Exclude<Frame, { type: "answer" | "error" | "unknown" }>) => void;
  /**
   * Called once when the connection is gone, but not after `cut`. Without a code, this side gave up
   * the connection.
   */
  readonly onGone: (code: number | undefined) => void;
}

const OPEN_WITHIN_MS = 10_000;
const PULSE_MS = 20_000;
const PULSE_WITHIN_MS = 10_000;

export const createConnection = ({ connect, clock, onOpen, onFrame, onGone }: ConnectionOptions): Connection => {
  const life = new AbortController();
  const waiting = new Map<number, (refusal: HearthError | undefined, epoch?: string) => void>();
  let lastId = 0;
  /** The number of frames received. */
  let framesReceived = 0;

  const end = (): boolean => {
    if (life.signal.aborted) return false;
    life.abort();
    return true;
  };
  /**
   * Gives up the connection after a suspension or an invalid frame. A new connection requests the
   * missed events.
   */
  const giveUp = (): void => {
    if (!end()) return;
    wire.close();
    onGone(undefined);
  };

  const ask: Connection["ask"] = (request, onAnswer) => {
    if (life.signal.aborted) return;
    lastId += 1;
    if (onAnswer !== undefined) waiting.set(lastId, onAnswer);
    wire.send(JSON.stringify({ ...request, id: lastId } satisfies SocketRequest));
  };

  /** Gives up unless data arrives in time. */
  const expectWithin = async (ms: number): Promise<void> => {
    const before = framesReceived;
    await clock.sleep(ms, life.signal);
    if (framesReceived === before) giveUp();
  };

  const beat = async (): Promise<void> => {
    while (!life.signal.aborted) {
      await clock.sleep(PULSE_MS, life.signal);
      ask({ op: "ping" });
      await expectWithin(PULSE_WITHIN_MS);
    }
  };

  const take = (text: string): void => {
    framesReceived += 1;
    const frame = readFrame(text);
    if (frame === undefined) return giveUp();
    switch (frame.type) {
      case "answer":
      case "error": {
        const onAnswer = frame.id === undefined ? undefined : waiting.get(frame.id);
        if (frame.id !== undefined) waiting.delete(frame.id);
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
      if (life.signal.aborted) return;
      framesReceived += 1;
      void beat();
      onOpen();
    },
    message: (text) => {
      if (!life.signal.aborted) take(text);
    },
    closed: (code) => {
      if (end()) onGone(code);
    },
  });
  void expectWithin(OPEN_WITHIN_MS);

  return {
    ask,
    probe(withinMs) {
      ask({ op: "ping" });
      void expectWithin(withinMs);
    },
    cut() {
      if (end()) wire.close();
    },
  };
};
