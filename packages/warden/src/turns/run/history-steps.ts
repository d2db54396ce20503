/**
 * Converts the journal of an activation that another version of the loop began into results that
 * this version can continue from.
 */
import type { HistoryStep } from "../../agents/index.ts";
import type { JournaledStep } from "../../kernel/index.ts";
import { readIntakeStep, readModelStep, readToolStep } from "./step-output.ts";

const OUTCOME_UNKNOWN =
  "Hearth restarted during this call, so its outcome is unknown. Check before you do it again, and tell the user.";

/** Returns the steps before the first missing step or unfinished model call. The loop continues there. */
export const toHistorySteps = (knownSteps: ReadonlyMap<number, JournaledStep>): readonly HistoryStep[] => {
  const steps: HistoryStep[] = [];
  for (let index = 0; ; index += 1) {
    const step = knownSteps.get(index);
    if (step === undefined || (step.kind === "model" && step.output === undefined)) return steps;
    steps.push(toHistoryStep(step));
  }
};

/**
 * Returns the interrupted tool calls among the first `count` steps. Their outcome is unknown in the
 * history, so the caller marks them as unknown in the journal too.
 */
export const interruptedCalls = (knownSteps: ReadonlyMap<number, JournaledStep>, count: number): readonly number[] =>
  [...knownSteps].flatMap(([index, { kind, state }]) =>
    index < count && kind === "tool" && state === "started" ? [index] : [],
  );

const toHistoryStep = ({ kind, output }: JournaledStep): HistoryStep => {
  switch (kind) {
    case "model":
      return { kind, message: readModelStep(output ?? "").message };
    case "intake":
      return { kind, messages: readIntakeStep(output ?? "").messages };
    case "tool":
      return output === undefined ? { kind, text: OUTCOME_UNKNOWN, failed: true } : { kind, ...readToolStep(output) };
  }
};
