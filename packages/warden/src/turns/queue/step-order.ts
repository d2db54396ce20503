/**
 * Checks the order of an inmate's requests: steps in sequence, at most `maxRounds` model requests,
 * and after a restart the same requests as before. A violation throws `cell.protocol`. It means
 * that the inmate is faulty or hostile.
 */
import type { JournaledStep, StepKind } from "../../kernel/index.ts";
import { type ActivationInput, type AssistantMessage, HearthError, MAX_MESSAGE_LENGTH } from "@hearth/protocol";

export interface StepOrder {
  /** The inmate requests the model. The warden may answer with an intake of new messages instead. */
  checkModelRequest(step: number): void;
  /** Counts a model request and returns the number of the round. */
  countRound(): number;
  /** The inmate received this model message. */
  recordModelMessage(message: AssistantMessage): void;
  /** The inmate requests a tool call. */
  checkToolCall(step: number, name: string): void;
  /**
   * The inmate sends its reply. No tool call may be running then, and every call that was journaled
   * before a restart must have been requested again.
   */
  checkReply(text: string, running: number): void;
}

export const createStepOrder = (
  input: Pick<ActivationInput, "before" | "maxRounds">,
  journaledSteps: ReadonlyMap<number, Pick<JournaledStep, "kind" | "name">>,
): StepOrder => {
  let nextStep = input.before?.steps ?? 0;
  let rounds = input.before?.rounds ?? 0;
  /** Calls of the last model message that the inmate has not requested yet. */
  let unrequestedCalls = 0;

  const takeStep = (step: number, kinds: readonly StepKind[], name?: string): void => {
    if (step !== nextStep) throw protocolViolation(`The inmate requested step ${step}; the next step is ${nextStep}.`);
    const journaledStep = journaledSteps.get(step);
    if (
      journaledStep !== undefined &&
      (!kinds.includes(journaledStep.kind) || (name !== undefined && name !== journaledStep.name))
    )
      throw protocolViolation(`The inmate's request at step ${step} differs from the one in the journal.`);
    nextStep += 1;
  };

  return {
    checkModelRequest(step) {
      takeStep(step, ["model", "intake"]);
      if (rounds >= input.maxRounds)
        throw protocolViolation(`The inmate requested the model more than ${input.maxRounds} times.`);
    },
    countRound() {
      rounds += 1;
      return rounds;
    },
    recordModelMessage({ toolCalls }) {
      unrequestedCalls = toolCalls.length;
    },
    checkToolCall(step, name) {
      if (unrequestedCalls === 0)
        throw protocolViolation("The inmate requested a tool call that the model did not make.");
      takeStep(step, ["tool"], name);
      unrequestedCalls -= 1;
    },
    checkReply(text, running) {
      if (text.length > MAX_MESSAGE_LENGTH)
        throw protocolViolation(
          `The inmate's reply exceeds the maximum length of a message, ${MAX_MESSAGE_LENGTH} characters.`,
        );
      if (running > 0 || [...journaledSteps.keys()].some((step) => step >= nextStep))
        throw protocolViolation("The inmate replied while tool calls were unfinished.");
    },
  };
};

const protocolViolation = (message: string): HearthError => new HearthError("cell.protocol", message);
