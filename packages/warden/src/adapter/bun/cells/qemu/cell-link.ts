/**
 * A link that delays frames until the folders on the host and the machine's copy of them are in
 * sync.
 */
import { tools, type ToolName } from "@hearth/protocol/tools";
import type { WardenFrame } from "@hearth/protocol";
import type { WardenLink } from "../../../../cells/backend.ts";

export interface CellLinkOptions {
  readonly link: WardenLink;
  /**
   * Copies the folders in, after the inmate's first frame and before any frame to it. None of these
   * rejects.
   */
  readonly bringIn: () => Promise<void>;
  /** Refreshes the copy before a frame to the inmate. */
  readonly refresh: () => Promise<void>;
  /** Copies changes back before the end of a step is reported. */
  readonly keep: () => Promise<void>;
  /** Reports how many running steps may write. */
  readonly onRunning: (count: number) => void;
}

export const createCellLink = ({ link, bringIn, refresh, keep, onRunning }: CellLinkOptions): WardenLink => {
  /** Activation → its running step. There is one at a time. */
  const running = new Map<string, number>();
  /**
   * Activation → the requested step, if that only reads. Such a claim can only affect the inmate's
   * own files.
   */
  const reading = new Map<string, number>();
  /**
   * Activations that the warden has begun. Nothing is remembered of others, however often the
   * inmate names one.
   */
  const activeActivations = new Set<string>();
  const greeted = Promise.withResolvers<void>();
  let sent: Promise<void> = greeted.promise.then(bringIn);

  const begin = ({ activation, step }: Extract<WardenFrame, { type: "step-result" }>): void => {
    if (reading.get(activation) === step) return;
    running.set(activation, step);
    onRunning(running.size);
  };
  const end = async (activation: string): Promise<void> => {
    reading.delete(activation);
    if (!running.delete(activation)) return;
    // Called first, so that later copies include this step.
    onRunning(running.size);
    await keep();
  };
  const note = ({ type, activation, step, call }: Said): void => {
    if (type === "step-request" && step !== undefined && activeActivations.has(activation) && isPure(call?.name))
      reading.set(activation, step);
  };

  return {
    ...link,
    send(frame) {
      const runs = frame.type === "step-result" && "verdict" in frame.result && frame.result.verdict === "run";
      // Both start something that may read the brain.
      if (runs || frame.type === "activate") sent = sent.then(refresh);
      sent = sent.then(() => {
        if (runs) begin(frame);
        if (frame.type === "activate") activeActivations.add(frame.activation);
        link.send(frame);
      });
    },
    frames: (async function* () {
      for await (const frame of link.frames) {
        greeted.resolve();
        const sent = toSaid(frame);
        if (sent !== undefined) note(sent);
        if (sent?.type === "step-done" || sent?.type === "finish") await end(sent.activation);
        if (sent?.type === "finish") activeActivations.delete(sent.activation);
        yield frame;
      }
    })(),
  };
};

interface Said {
  readonly type: string;
  readonly activation: string;
  readonly step?: number;
  readonly call?: { readonly name?: unknown };
}

/** Checks only the fields used here; the reader validates the whole frame. */
const toSaid = (frame: unknown): Said | undefined => {
  const candidate = frame as Partial<Said> | null | undefined;
  return typeof candidate?.type === "string" && typeof candidate.activation === "string"
    ? (candidate as Said)
    : undefined;
};

const isPure = (name: unknown): boolean =>
  typeof name === "string" && Object.hasOwn(tools, name) && tools[name as ToolName].effect === "pure";
