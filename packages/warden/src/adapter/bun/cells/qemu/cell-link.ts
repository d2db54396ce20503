/** A link that knows when the folders and the machine's copy of them have to be the same, and lets a frame pass when they are. */
import { tools, type ToolName } from "@hearth/protocol/tools";
import type { WardenFrame } from "@hearth/protocol";
import type { WardenLink } from "../../../../cells/backend.ts";

export interface CellLinkOptions {
  readonly link: WardenLink;
  /** Once the inmate has said its first word, and before it is told anything. None of these rejects. */
  readonly bringIn: () => Promise<void>;
  /** Before the inmate is told more. */
  readonly refresh: () => Promise<void>;
  /** Before anyone hears of a step's end. */
  readonly keep: () => Promise<void>;
  /** How many steps run that may write. */
  readonly onRunning: (count: number) => void;
}

export const createCellLink = ({ link, bringIn, refresh, keep, onRunning }: CellLinkOptions): WardenLink => {
  /** Activation → its step that runs. There is one at a time. */
  const running = new Map<string, number>();
  /** Activation → the step that it has asked for, if that only reads. What it says of a step is about its own files alone. */
  const reading = new Map<string, number>();
  /** Those that the warden has begun. Of others nothing is remembered, however often the inmate names one. */
  const begun = new Set<string>();
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
    // First, so that what is brought back from now on is brought back here.
    onRunning(running.size);
    await keep();
  };
  const note = ({ type, activation, step, call }: Said): void => {
    if (type === "step-request" && step !== undefined && begun.has(activation) && isPure(call?.name))
      reading.set(activation, step);
  };

  return {
    ...link,
    send(frame) {
      const runs = frame.type === "step-result" && "verdict" in frame.result && frame.result.verdict === "run";
      // Both are the start of something that may read the brain.
      if (runs || frame.type === "activate") sent = sent.then(refresh);
      sent = sent.then(() => {
        if (runs) begin(frame);
        if (frame.type === "activate") begun.add(frame.activation);
        link.send(frame);
      });
    },
    frames: (async function* () {
      for await (const frame of link.frames) {
        greeted.resolve();
        const said = toSaid(frame);
        if (said !== undefined) note(said);
        if (said?.type === "step-done" || said?.type === "finish") await end(said.activation);
        if (said?.type === "finish") begun.delete(said.activation);
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

/** As far as anyone here looks at it. Whoever reads the frame checks it. */
const toSaid = (frame: unknown): Said | undefined => {
  const said = frame as Partial<Said> | null | undefined;
  return typeof said?.type === "string" && typeof said.activation === "string" ? (said as Said) : undefined;
};

const isPure = (name: unknown): boolean =>
  typeof name === "string" && Object.hasOwn(tools, name) && tools[name as ToolName].effect === "pure";
