/**
 * An in-memory byte pipe. Bytes arrive in pieces of any length, and the pipe may end in the middle
 * of a frame.
 */
import { type BytePipe, createMailbox } from "@hearth/protocol";
import type { Chance } from "./chance.ts";

export interface PipePair {
  readonly warden: BytePipe;
  readonly inmate: BytePipe;
  /** Truncates the next write of either side, ends the pipe and calls `ended`. */
  cutNext(ended: () => void): void;
}

export const createPipePair = (chance: Chance): PipePair => {
  const down = createMailbox<Uint8Array>();
  const up = createMailbox<Uint8Array>();
  let onCut: (() => void) | undefined;
  const close = (): void => {
    down.close();
    up.close();
  };
  const write = (to: typeof down) => (bytes: Uint8Array) => {
    const middle = bytes.length > 1 ? chance.whole(1, bytes.length - 1) : bytes.length;
    to.put(bytes.subarray(0, middle));
    if (onCut === undefined) return to.put(bytes.subarray(middle));
    close();
    onCut();
  };
  return {
    warden: { write: write(down), bytes: up, close },
    inmate: { write: write(up), bytes: down, close },
    cutNext: (ended) => void (onCut = ended),
  };
};
