/**
 * Converts an activation's journal into its parts: what it wrote and did, in the order in which its
 * watchers saw it.
 */
import type { KnownStep } from "../../kernel/index.ts";
import { shorten } from "../../agents/index.ts";
import type { ActivationPart, ToolCall } from "@hearth/protocol";
import { readModelStep, readToolStep } from "./step-output.ts";

/** `isOver`: the activation no longer runs, so the outcome of an unfinished call is unknown. */
export const toParts = (steps: ReadonlyMap<number, KnownStep>, isOver: boolean): readonly ActivationPart[] => {
  const parts: ActivationPart[] = [];
  /** Calls of the last model step that have no step yet. Steps follow in their order. */
  let pending: readonly ToolCall[] = [];
  for (const [index, step] of [...steps].toSorted(([one], [other]) => one - other)) {
    // Intake steps and steps before the first one belong to the house.
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
  // The cell may request another call than the model made. Then the input is unknown.
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

/** Without its output: it has not ended, or its body was erased because of its age. */
const stateOf = ({ state }: KnownStep, isOver: boolean): "running" | "unknown" | "done" => {
  if (state === "done") return "done";
  return state === "unknown" || isOver ? "unknown" : "running";
};
