/** One connection of a socket: requests paired with their answers, and a pulse that tells when it is gone without a word. */
import type { Clock, HearthError, SocketRequest, StreamName } from "@hearth/protocol";
import type { SocketOptions } from "../socket.ts";
import { type Frame, readFrame } from "./frame.ts";

/** A request without its id, which the line gives. */
export type UnsentRequest =
  | { readonly op: "ping" }
  | { readonly op: "subscribe"; readonly stream: StreamName; readonly after: number; readonly epoch?: string }
  | { readonly op: "unsubscribe"; readonly stream: StreamName };

export interface Connection {
  /** Answers come in the order of their requests; none comes once the line is gone. */
  ask(request: UnsentRequest, onAnswer?: (refusal: HearthError | undefined, epoch?: string) => void): void;
  /** Asks for a sign of life. Without any within this time the line is gone. */
  probe(withinMs: number): void;
  /** Ends it here; `onGone` is not called. */
  cut(): void;
}

export interface ConnectionOptions {
  readonly connect: SocketOptions["connect"];
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onFrame: (frame: Exclude<Frame, { type: "answer" | "error" | "unknown" }>) => void;
  /** Once, unless it is cut. Without a code the line was given up here. */
  readonly onGone: (code: number | undefined) => void;
}

const OPEN_WITHIN_MS = 10_000;
const PULSE_MS = 20_000;
const PULSE_WITHIN_MS = 10_000;

export const createConnection = ({ connect, clock, onOpen, onFrame, onGone }: ConnectionOptions): Connection => {
  const life = new AbortController();
  const waiting = new Map<number, (refusal: HearthError | undefined, epoch?: string) => void>();
  let asked = 0;
  /** Grows with whatever is heard. */
  let heard = 0;

  const end = (): boolean => {
    if (life.signal.aborted) return false;
    life.abort();
    return true;
  };
  /** A machine that slept, or a house that is not understood: what is missing is asked for on another line. */
  const giveUp = (): void => {
    if (!end()) return;
    wire.close();
    onGone(undefined);
  };

  const ask: Connection["ask"] = (request, onAnswer) => {
    if (life.signal.aborted) return;
    asked += 1;
    if (onAnswer !== undefined) waiting.set(asked, onAnswer);
    wire.send(JSON.stringify({ ...request, id: asked } satisfies SocketRequest));
  };

  /** Gives up unless something is heard in time. */
  const expectWithin = async (ms: number): Promise<void> => {
    const before = heard;
    await clock.sleep(ms, life.signal);
    if (heard === before) giveUp();
  };

  const beat = async (): Promise<void> => {
    while (!life.signal.aborted) {
      await clock.sleep(PULSE_MS, life.signal);
      ask({ op: "ping" });
      await expectWithin(PULSE_WITHIN_MS);
    }
  };

  const take = (text: string): void => {
    heard += 1;
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
      heard += 1;
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
