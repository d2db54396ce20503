/**
 * A link that delays frames until the folders on the host and the machine's copy of them are in
 * sync.
 */
import { tools, type ToolName } from "@hearth/protocol/tools";
import { readInboxStreamLabel, type WardenFrame } from "@hearth/protocol";
import type { WardenLink } from "../../../../cells/backend.ts";

export interface CellLinkOptions {
  readonly link: WardenLink;
  /**
   * Copies the folders in, after the inmate's first frame and before any frame to it. None of these
   * rejects.
   */
  readonly copyIn: () => Promise<void>;
  /** Refreshes the copy before a frame to the inmate. */
  readonly copyBrainIn: () => Promise<void>;
  /** Copies changes back before the end of a step is reported. */
  readonly copyBack: () => Promise<void>;
  /** Reports how many running steps may write. */
  readonly onRunningSteps: (count: number) => void;
}

export const createCellLink = ({
  link,
  copyIn,
  copyBrainIn,
  copyBack,
  onRunningSteps,
}: CellLinkOptions): WardenLink => {
  /** Activation → its running step. There is one at a time. */
  const runningSteps = new Map<string, number>();
  /**
   * Activation → the requested step, if that only reads. Such a claim can only affect the inmate's
   * own files.
   */
  const readOnlySteps = new Map<string, number>();
  /**
   * Activations that the warden has begun. Nothing is remembered of others, however often the
   * inmate names one.
   */
  const activeActivations = new Set<string>();
  /**
   * Activation → whether the folder on the host may have a copy of the files of its messages. The
   * inmate removes them at the end of the activation.
   */
  const receivedFiles = new Map<string, boolean>();
  const greeted = Promise.withResolvers<void>();
  let sent: Promise<void> = greeted.promise.then(copyIn);

  const begin = ({ activation, step }: Extract<WardenFrame, { type: "step-result" }>): void => {
    if (readOnlySteps.get(activation) === step) return;
    runningSteps.set(activation, step);
    onRunningSteps(runningSteps.size);
  };
  const end = async (activation: string): Promise<void> => {
    readOnlySteps.delete(activation);
    if (!runningSteps.delete(activation)) return;
    // Called first, so that later copies include this step.
    onRunningSteps(runningSteps.size);
    if (receivedFiles.has(activation)) receivedFiles.set(activation, true);
    await copyBack();
  };
  const noteFile = (activation: string): void => {
    if (!receivedFiles.has(activation)) receivedFiles.set(activation, false);
  };
  /** Removes the files of messages from the folder on the host, as the inmate did in the machine. */
  const finish = async (activation: string): Promise<void> => {
    const isCopied = receivedFiles.get(activation);
    receivedFiles.delete(activation);
    if (isCopied === true) await copyBack();
  };
  const note = ({ type, activation, step, call }: InmateFrameHead): void => {
    if (type === "step-request" && step !== undefined && activeActivations.has(activation) && isPure(call?.name))
      readOnlySteps.set(activation, step);
  };

  return {
    ...link,
    openStream(label) {
      const file = readInboxStreamLabel(label);
      if (file !== undefined) noteFile(file.activation);
      return link.openStream(label);
    },
    send(frame) {
      if (frame.type === "file-piece" && frame.stays !== true) noteFile(frame.activation);
      const runs = frame.type === "step-result" && "verdict" in frame.result && frame.result.verdict === "run";
      // Both start something that may read the brain.
      if (runs || frame.type === "activate") sent = sent.then(copyBrainIn);
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
        if (sent?.type === "finish") {
          activeActivations.delete(sent.activation);
          await finish(sent.activation);
        }
        yield frame;
      }
    })(),
  };
};

interface InmateFrameHead {
  readonly type: string;
  readonly activation: string;
  readonly step?: number;
  readonly call?: { readonly name?: unknown };
}

/** Checks only the fields used here; the reader validates the whole frame. */
const toSaid = (frame: unknown): InmateFrameHead | undefined => {
  const candidate = frame as Partial<InmateFrameHead> | null | undefined;
  return typeof candidate?.type === "string" && typeof candidate.activation === "string"
    ? (candidate as InmateFrameHead)
    : undefined;
};

const isPure = (name: unknown): boolean =>
  typeof name === "string" && Object.hasOwn(tools, name) && tools[name as ToolName].effect === "pure";
