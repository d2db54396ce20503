/**
 * A link that delays frames until the folders on the host and the machine's copy of them are in
 * sync.
 */
import { tools, type ToolName } from "@hearth/protocol/tools";
import { readInboxStreamLabel, type WardenFrame } from "@hearth/protocol";
import type { WardenLink } from "../../../../cells/backend.ts";

export interface CellLinkOptions {
  readonly link: WardenLink;
  /** Copies the folders in, after the inmate's first frame and before any frame to it. It never rejects. */
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
  /** The running step of each activation. An activation has at most one. */
  const runningSteps = new Map<string, number>();
  /**
   * The requested step of each activation, if the step only reads. A false claim can only affect
   * the inmate's own files.
   */
  const readOnlySteps = new Map<string, number>();
  /**
   * Activations that the warden has begun. The state of other activations is not stored, however
   * often the inmate names them.
   */
  const activeActivations = new Set<string>();
  /**
   * For each activation, whether the folder on the host may contain a copy of the files of its
   * messages. The inmate removes them at the end of the activation.
   */
  const receivedFiles = new Map<string, boolean>();
  const firstFrame = Promise.withResolvers<void>();
  let sentFrames: Promise<void> = firstFrame.promise.then(copyIn);

  const beginStep = ({ activation, step }: Extract<WardenFrame, { type: "step-result" }>): void => {
    if (readOnlySteps.get(activation) === step) return;
    runningSteps.set(activation, step);
    onRunningSteps(runningSteps.size);
  };
  const endStep = async (activation: string): Promise<void> => {
    readOnlySteps.delete(activation);
    if (!runningSteps.delete(activation)) return;
    // Called first, so that later copies include this step.
    onRunningSteps(runningSteps.size);
    if (receivedFiles.has(activation)) receivedFiles.set(activation, true);
    await copyBack();
  };
  const recordFile = (activation: string): void => {
    if (!receivedFiles.has(activation)) receivedFiles.set(activation, false);
  };
  /** Removes the files of messages from the folder on the host, as the inmate did in the machine. */
  const finishActivation = async (activation: string): Promise<void> => {
    const isCopied = receivedFiles.get(activation);
    receivedFiles.delete(activation);
    if (isCopied === true) await copyBack();
  };
  const recordStepRequest = ({ type, activation, step, call }: InmateFrameHead): void => {
    if (type === "step-request" && step !== undefined && activeActivations.has(activation) && isPure(call?.name))
      readOnlySteps.set(activation, step);
  };

  return {
    ...link,
    openStream(label) {
      const file = readInboxStreamLabel(label);
      if (file !== undefined) recordFile(file.activation);
      return link.openStream(label);
    },
    send(frame) {
      if (frame.type === "file-piece" && frame.stays !== true) recordFile(frame.activation);
      const isStepStart = frame.type === "step-result" && "verdict" in frame.result && frame.result.verdict === "run";
      // Both frames start work that may read the brain.
      if (isStepStart || frame.type === "activate") sentFrames = sentFrames.then(copyBrainIn);
      sentFrames = sentFrames.then(() => {
        if (isStepStart) beginStep(frame);
        if (frame.type === "activate") activeActivations.add(frame.activation);
        link.send(frame);
      });
    },
    frames: (async function* () {
      for await (const frame of link.frames) {
        firstFrame.resolve();
        const frameHead = toFrameHead(frame);
        if (frameHead !== undefined) recordStepRequest(frameHead);
        if (frameHead?.type === "step-done" || frameHead?.type === "finish") await endStep(frameHead.activation);
        if (frameHead?.type === "finish") {
          activeActivations.delete(frameHead.activation);
          await finishActivation(frameHead.activation);
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

/** Checks only the fields used here, because the reader validates the whole frame. */
const toFrameHead = (frame: unknown): InmateFrameHead | undefined => {
  const candidate = frame as Partial<InmateFrameHead> | null | undefined;
  return typeof candidate?.type === "string" && typeof candidate.activation === "string"
    ? (candidate as InmateFrameHead)
    : undefined;
};

const isPure = (name: unknown): boolean =>
  typeof name === "string" && Object.hasOwn(tools, name) && tools[name as ToolName].effect === "pure";
