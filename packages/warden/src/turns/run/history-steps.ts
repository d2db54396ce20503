/**
 * Converts an activation's journal into the history of a loop of another version: the result of
 * each step, without gaps.
 */
import type { HistoryStep } from "../../agents/index.ts";
import type { KnownStep } from "../../kernel/index.ts";
import { readIntakeStep, readModelStep, readToolStep } from "./step-output.ts";

const NOBODY_KNOWS =
  "Hearth restarted during this call, so its outcome is unknown. Check before you do it again, and tell the user.";

/** Up to the first missing step or unfinished model call; the loop runs again from there. */
export const toHistorySteps = (known: ReadonlyMap<number, KnownStep>): readonly HistoryStep[] => {
  const steps: HistoryStep[] = [];
  for (let index = 0; ; index += 1) {
    const step = known.get(index);
    if (step === undefined || (step.kind === "model" && step.output === undefined)) return steps;
    steps.push(tell(step));
  }
};

/**
 * The interrupted tool calls among the first `count` steps. History says that their outcome is
 * unknown, and so must the journal.
 */
export const interruptedCalls = (known: ReadonlyMap<number, KnownStep>, count: number): readonly number[] =>
  [...known].flatMap(([index, { kind, state }]) =>
    index < count && kind === "tool" && state === "started" ? [index] : [],
  );

const tell = ({ kind, output }: KnownStep): HistoryStep => {
  switch (kind) {
    case "model":
      return { kind, message: readModelStep(output ?? "").message };
    case "intake":
      return { kind, messages: readIntakeStep(output ?? "").messages };
    case "tool":
      return output === undefined ? { kind, text: NOBODY_KNOWS, failed: true } : { kind, ...readToolStep(output) };
  }
};
