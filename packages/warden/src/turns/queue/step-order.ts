/**
 * Checks the order of an inmate's requests: steps in sequence, at most `maxRounds` model requests,
 * and after a restart the same requests as before. Our inmate never breaks this order; a violation
 * throws `cell.protocol`.
 */
import type { KnownStep, StepKind } from "../../kernel/index.ts";
import { type ActivationInput, type AssistantMessage, HearthError, MAX_MESSAGE_LENGTH } from "@hearth/protocol";

export interface StepOrder {
  /** The inmate requests the model. The step may turn out to be an intake of messages instead. */
  asksModel(step: number): void;
  /** Counts a model request and returns the number of the round. */
  round(): number;
  /** The inmate received this model message. */
  toldModel(message: AssistantMessage): void;
  /** The inmate requests a tool call. */
  asksCall(step: number, name: string): void;
  /**
   * The inmate replies while `running` calls run. That must be none, and no call from before a
   * restart may be left.
   */
  replies(text: string, running: number): void;
}

export const createStepOrder = (
  input: Pick<ActivationInput, "before" | "maxRounds">,
  known: ReadonlyMap<number, Pick<KnownStep, "kind" | "name">>,
): StepOrder => {
  let next = input.before?.steps ?? 0;
  let rounds = input.before?.rounds ?? 0;
  /** Calls of the last model message that the inmate has not requested yet. */
  let calls = 0;

  const take = (step: number, kinds: readonly StepKind[], name?: string): void => {
    if (step !== next) throw broken(`The inmate requested step ${step}; the next step is ${next}.`);
    const before = known.get(step);
    if (before !== undefined && (!kinds.includes(before.kind) || (name !== undefined && name !== before.name)))
      throw broken(`The inmate's request at step ${step} differs from the one in the journal.`);
    next += 1;
  };

  return {
    asksModel(step) {
      take(step, ["model", "intake"]);
      if (rounds >= input.maxRounds) throw broken(`The inmate requested the model more than ${input.maxRounds} times.`);
    },
    round() {
      rounds += 1;
      return rounds;
    },
    toldModel({ toolCalls }) {
      calls = toolCalls.length;
    },
    asksCall(step, name) {
      if (calls === 0) throw broken("The inmate requested a tool call that the model did not make.");
      take(step, ["tool"], name);
      calls -= 1;
    },
    replies(text, running) {
      if (text.length > MAX_MESSAGE_LENGTH)
        throw broken(`The inmate's reply exceeds the maximum length of a message, ${MAX_MESSAGE_LENGTH} characters.`);
      if (running > 0 || [...known.keys()].some((step) => step >= next))
        throw broken("The inmate replied while tool calls were unfinished.");
    },
  };
};

const broken = (what: string): HearthError => new HearthError("cell.protocol", what);
