/** An activation's journal → what it said and did, in the order in which whoever watched it saw it. */
import type { KnownStep } from "../../kernel/index.ts";
import { shorten } from "../../agents/index.ts";
import type { ActivationPart, ToolCall } from "@hearth/protocol";
import { readModelStep, readToolStep } from "./step-output.ts";

/** `isOver`: nothing of the activation runs any more, so a call without an end has none that anybody knows. */
export const toParts = (steps: ReadonlyMap<number, KnownStep>, isOver: boolean): readonly ActivationPart[] => {
  const parts: ActivationPart[] = [];
  /** Calls of the last model step that have had no step yet. They are made in their order. */
  let pending: readonly ToolCall[] = [];
  for (const [index, step] of [...steps].toSorted(([one], [other]) => one - other)) {
    // What stands before its first step is the house's.
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

/** How many tools were called. */
export const countToolCalls = (steps: Iterable<{ readonly kind: string }>): number =>
  [...steps].filter(({ kind }) => kind === "tool").length;

const toToolPart = (index: number, step: KnownStep, call: ToolCall | undefined, isOver: boolean): ActivationPart => {
  // What the cell asked for need not be what the model did: then nobody knows the input.
  const asked = call?.name === step.name ? call : { id: `step-${index}`, input: {} };
  const output = step.output === undefined ? undefined : readToolStep(step.output);
  return {
    kind: "tool",
    call: asked.id,
    name: step.name,
    input: asked.input,
    state: output === undefined ? stateOf(step, isOver) : output.failed ? "failed" : "done",
    ...(output === undefined ? {} : { output: shorten(output.text) }),
    startedAt: step.startedAt,
    ...(step.endedAt === undefined ? {} : { durationMs: Math.max(0, step.endedAt - step.startedAt) }),
  };
};

/** Without its body: it has not ended, or the body is so old that it was erased. */
const stateOf = ({ state }: KnownStep, isOver: boolean): "running" | "unknown" | "done" => {
  if (state === "done") return "done";
  return state === "unknown" || isOver ? "unknown" : "running";
};
