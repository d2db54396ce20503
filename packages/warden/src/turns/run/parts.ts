/** Converts the journal of an activation into the texts and tool calls that the watchers saw. */
import type { KnownStep } from "../../kernel/index.ts";
import { shorten } from "../../agents/index.ts";
import type { ActivationPart, ToolCall } from "@hearth/protocol";
import { readModelStep, readToolStep } from "./step-output.ts";

/** `isOver`: the activation no longer runs, so the outcome of an unfinished call is unknown. */
export const toParts = (steps: ReadonlyMap<number, KnownStep>, isOver: boolean): readonly ActivationPart[] => {
  const parts: ActivationPart[] = [];
  /** Calls of the last model step that have no step yet, in the order of their steps. */
  let pending: readonly ToolCall[] = [];
  for (const [index, step] of [...steps].toSorted(([one], [other]) => one - other)) {
    // Watchers do not see intakes, and steps below 0 belong to the gates or to a compaction.
    if (step.kind === "intake" || index < 0) continue;
    if (step.kind === "model") {
      if (step.output === undefined) continue;
      const { message } = readModelStep(step.output);
      if (message.text !== "") parts.push({ kind: "text", text: message.text });
      pending = message.toolCalls;
    } else {
      const [call, ...rest] = pending;
      pending = rest;
      parts.push(toToolPart(index, step, call, isOver));
    }
  }
  return parts;
};

/** Counts tool calls. */
export const countToolCalls = (steps: Iterable<{ readonly kind: string }>): number =>
  [...steps].filter(({ kind }) => kind === "tool").length;

const toToolPart = (index: number, step: KnownStep, call: ToolCall | undefined, isOver: boolean): ActivationPart => {
  // A faulty cell may request another call than the model made. Then the input is unknown.
  const matchingCall = call?.name === step.name ? call : { id: `step-${index}`, input: {} };
  const output = step.output === undefined ? undefined : readToolStep(step.output);
  return {
    kind: "tool",
    call: matchingCall.id,
    name: step.name,
    input: matchingCall.input,
    state: output === undefined ? stateOf(step, isOver) : output.failed ? "failed" : "done",
    ...(output === undefined ? {} : { output: shorten(output.text) }),
    startedAt: step.startedAt,
    ...(step.endedAt === undefined ? {} : { durationMs: Math.max(0, step.endedAt - step.startedAt) }),
  };
};

/** The state of a step without output: it has not ended, or retention erased the output. */
const stateOf = ({ state }: KnownStep, isOver: boolean): "running" | "unknown" | "done" => {
  if (state === "done") return "done";
  return state === "unknown" || isOver ? "unknown" : "running";
};
