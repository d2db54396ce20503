/** Sends frames to one peer, and waits while the peer is slow. */
import type { AgentId, SocketFrame } from "@hearth/protocol";
import type { Kernel } from "../../kernel/index.ts";
import type { SocketPeer } from "../http.ts";

/**
 * Maximum time in which a peer accepts nothing. Its last frames are kept for that time. A client
 * that reconnects later loses nothing.
 */
export const STALL_MS = 10_000;

/** The log message about a peer that is disconnected for this reason. */
const CUT_OFF = "a reader takes nothing and is cut off";

/** Close code: try again later. */
export const TRY_AGAIN_CODE = 1013;

export type Frame =
  | Exclude<SocketFrame, { type: "answer" }>
  | { readonly type: "answer"; readonly id: number; readonly result: unknown };

export interface Sender {
  /** Waits until the peer accepts more, then sends. Sends nothing once the session is over. */
  send(frame: Frame): Promise<void>;
  /** The same for a frame as text, until the signal aborts. */
  sendText(text: string, signal: AbortSignal): Promise<void>;
  /** Continues to send. The caller calls it when the peer accepts more. */
  resume(): void;
  /** Closes the peer with a reason, and ends the session. */
  close(code: number, reason: string): void;
}

export interface SenderOptions {
  readonly kernel: Pick<Kernel, "world" | "log">;
  readonly peer: SocketPeer;
  /** The agent that the log names. */
  readonly agent: AgentId;
  /** Aborted when the session is over. */
  readonly session: AbortController;
}

export const createSender = ({ kernel, peer, agent, session }: SenderOptions): Sender => {
  const { world, log } = kernel;
  /** Set while the peer is slow. */
  let slowState: { readonly drained: Promise<void>; readonly resume: () => void } | undefined;

  const close = (code: number, reason: string): void => {
    if (session.signal.aborted) return;
    peer.close(code, reason);
    session.abort();
  };

  const becomeSlow = (): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stallController = new AbortController();
    slowState = {
      drained: promise,
      resume: () => {
        slowState = undefined;
        stallController.abort();
        resolve();
      },
    };
    const cutOff = (): void => {
      if (stallController.signal.aborted || session.signal.aborted) return;
      log.write("info", CUT_OFF, { agent });
      close(TRY_AGAIN_CODE, "too slow; come back and resume");
    };
    world.clock.sleep(STALL_MS, stallController.signal).then(cutOff, cutOff);
  };

  const sendText = async (text: string, signal: AbortSignal): Promise<void> => {
    while (slowState !== undefined) await slowState.drained;
    if (signal.aborted || session.signal.aborted) return;
    switch (peer.send(text)) {
      case "sent":
        return;
      case "full":
        return becomeSlow();
      case "gone":
        return session.abort();
    }
  };

  const resume = (): void => slowState?.resume();
  // Callers that wait find the session over.
  session.signal.addEventListener("abort", resume);

  return { send: (frame) => sendText(JSON.stringify(frame), session.signal), sendText, resume, close };
};
