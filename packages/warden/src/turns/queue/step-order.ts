/**
 * How an inmate has to ask: step after step, as often as it was given, and after a restart for the same as before. Whatever else it says is
 * not our inmate's, and throws `cell.protocol`.
 */
import type { KnownStep, StepKind } from "../../kernel/index.ts";
import { type ActivationInput, type AssistantMessage, HearthError, MAX_MESSAGE_LENGTH } from "@hearth/protocol";

export interface StepOrder {
  /** It asks the model, or would: people may have said something instead. */
  asksModel(step: number): void;
  /** The model is to be asked. Which round that is. */
  round(): number;
  /** It was told what the model said. */
  toldModel(message: AssistantMessage): void;
  /** It asks for a tool call. */
  asksCall(step: number, name: string): void;
  /** It replies, while so many calls run: none may, nor may one be left that was begun before a restart. */
  replies(text: string, running: number): void;
}

export const createStepOrder = (
  input: Pick<ActivationInput, "before" | "maxRounds">,
  known: ReadonlyMap<number, Pick<KnownStep, "kind" | "name">>,
): StepOrder => {
  let next = input.before?.steps ?? 0;
  let rounds = input.before?.rounds ?? 0;
  /** Calls that the model made in its last answer and nobody has asked for yet. */
  let calls = 0;

  const take = (step: number, kinds: readonly StepKind[], name?: string): void => {
    if (step !== next) throw broken(`The inmate asked for step ${step} when ${next} was next.`);
    const before = known.get(step);
    if (before !== undefined && (!kinds.includes(before.kind) || (name !== undefined && name !== before.name)))
      throw broken(`The inmate asked for something else at step ${step} than before.`);
    next += 1;
  };

  return {
    asksModel(step) {
      take(step, ["model", "intake"]);
      if (rounds >= input.maxRounds) throw broken(`The inmate asked the model more than ${input.maxRounds} times.`);
    },
    round() {
      rounds += 1;
      return rounds;
    },
    toldModel({ toolCalls }) {
      calls = toolCalls.length;
    },
    asksCall(step, name) {
      if (calls === 0) throw broken("The inmate asked for a tool call that no model made.");
      take(step, ["tool"], name);
      calls -= 1;
    },
    replies(text, running) {
      if (text.length > MAX_MESSAGE_LENGTH) throw broken("The inmate's reply is longer than a message may be.");
      if (running > 0 || [...known.keys()].some((step) => step >= next))
        throw broken("The inmate replied before it was done with what was begun.");
    },
  };
};

const broken = (what: string): HearthError => new HearthError("cell.protocol", what);
