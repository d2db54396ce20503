/** Converts the journal of an activation into the texts and tool calls that people saw while it ran. */
import type { JournaledStep } from "../../kernel/index.ts";
import { shorten } from "../../agents/index.ts";
import type { ActivationPart, ToolCall } from "@hearth/protocol";
import { readModelStep, readToolStep } from "./step-output.ts";

/**
 * Converts the journal. With `isOver`, the activation no longer runs, so the outcome of an
 * unfinished call is unknown.
 */
export const toParts = (steps: ReadonlyMap<number, JournaledStep>, isOver: boolean): readonly ActivationPart[] => {
  const parts: ActivationPart[] = [];
  /** Tool calls of the last model message whose steps come next, in that order. */
  let pendingCalls: readonly ToolCall[] = [];
  for (const [index, step] of [...steps].toSorted(([a], [b]) => a - b)) {
    // People do not see intakes. Steps with a negative number belong to the gates or to a compaction.
    if (step.kind === "intake" || index < 0) continue;
    if (step.kind === "model") {
      if (step.output === undefined) continue;
      const { message } = readModelStep(step.output);
      if (message.text !== "") parts.push({ kind: "text", text: message.text });
      pendingCalls = message.toolCalls;
    } else {
      const [call, ...laterCalls] = pendingCalls;
      pendingCalls = laterCalls;
      parts.push(toToolPart(index, step, call, isOver));
    }
  }
  return parts;
};

export const countToolCalls = (steps: Iterable<{ readonly kind: string }>): number =>
  [...steps].filter(({ kind }) => kind === "tool").length;

const toToolPart = (
  index: number,
  step: JournaledStep,
  call: ToolCall | undefined,
  isOver: boolean,
): ActivationPart => {
  // A faulty cell may run a different tool than the model called. Then the input is unknown.
  const shownCall = call?.name === step.name ? call : { id: `step-${index}`, input: {} };
  const output = step.output === undefined ? undefined : readToolStep(step.output);
  return {
    kind: "tool",
    call: shownCall.id,
    name: step.name,
    input: shownCall.input,
    state: output === undefined ? stateOf(step, isOver) : output.failed ? "failed" : "done",
    ...(output === undefined ? {} : { output: shorten(output.text) }),
    startedAt: step.startedAt,
    ...(step.endedAt === undefined ? {} : { durationMs: Math.max(0, step.endedAt - step.startedAt) }),
  };
};

/** A step has no output while it runs, if a crash left its outcome unknown, or after the output was pruned. */
const stateOf = ({ state }: JournaledStep, isOver: boolean): "running" | "unknown" | "done" => {
  if (state === "done") return "done";
  return state === "unknown" || isOver ? "unknown" : "running";
};
