/** Folds the deltas of an activation into the parts that are shown. Pure. */
import type { ActivationPart, DeltaEvent } from "@hearth/protocol";
import type { Retry } from "./room.ts";

export interface PartsFold {
  readonly parts: readonly ActivationPart[];
  /** Whether new text is appended to the last part, if that part is text. */
  readonly isJoining: boolean;
  /** The pending retry, until the next delta of the model or of a tool. */
  readonly retry?: Retry;
}

export const noParts: PartsFold = { parts: [], isJoining: false };

export const foldParts = ({ parts, isJoining }: PartsFold, event: DeltaEvent): PartsFold => {
  const lastPart = parts.at(-1);
  switch (event.type) {
    case "round-start":
      return { parts, isJoining: false };
    case "retry": {
      const { error, retryAt, attempt, attempts } = event;
      return { parts, isJoining, retry: { error, retryAt, attempt, attempts } };
    }
    case "text-delta":
      return isJoining && lastPart?.kind === "text"
        ? { parts: parts.with(-1, { kind: "text", text: lastPart.text + event.text }), isJoining: true }
        : { parts: [...parts, { kind: "text", text: event.text }], isJoining: true };
    case "tool-start": {
      const { call, name, input, at } = event;
      return replaceToolPart(parts, { kind: "tool", call, name, input, state: "running", startedAt: at });
    }
    case "tool-end": {
      const { call, name, failed, output, durationMs, at } = event;
      const startedPart = parts.find((part) => part.kind === "tool" && part.call === call);
      // A reader that connected late may have missed the start of the call.
      const start =
        startedPart?.kind === "tool"
          ? startedPart
          : { kind: "tool" as const, call, name, input: null, startedAt: Math.floor(at - durationMs) };
      // The daemon measures from the moment at which the call may run, which is later than its start.
      const sinceStartMs = start.startedAt === undefined ? 0 : at - start.startedAt;
      return replaceToolPart(parts, {
        ...start,
        state: failed ? "failed" : "done",
        output,
        durationMs: Math.max(durationMs, sinceStartMs),
      });
    }
    case "restart":
      return noParts;
    case "end":
      return { parts: parts.map((part) => (isRunning(part) ? { ...part, state: "unknown" } : part)), isJoining: false };
  }
};

type ToolPart = Extract<ActivationPart, { kind: "tool" }>;

const isRunning = (part: ActivationPart): part is ToolPart => part.kind === "tool" && part.state === "running";

/** Replaces the part of the same call, or appends a part. */
const replaceToolPart = (parts: readonly ActivationPart[], tool: ToolPart): PartsFold => {
  const index = parts.findIndex((part) => part.kind === "tool" && part.call === tool.call);
  return { parts: index === -1 ? [...parts, tool] : parts.with(index, tool), isJoining: false };
};
