/**
 * Runs the loop in the warden up to its first tool call. Until then the requests depend on the
 * input alone, so no cell is needed, and a turn without tool calls uses none.
 */
import type { ChokePoint } from "../../policy/index.ts";
import { type ActivationInput, type FirstAnswer, toErrorBody } from "@hearth/protocol";
import { afterFirstAnswer, decide, noRoundsLeftError, startLoop } from "@hearth/protocol/loop";
import type { ModelSteps } from "./model-steps.ts";
import type { Outcome, Overflow } from "./outcome.ts";

export interface FirstRoundsOptions {
  readonly input: ActivationInput;
  readonly signal: AbortSignal;
  readonly leakScan: Pick<ChokePoint["leakScan"], "redactError">;
  readonly models: ModelSteps;
  /** Resolves when the beginning of the activation is committed. */
  readonly untilReady: () => Promise<void>;
  /** Returns the outcome for the text of the reply. */
  readonly reply: (text: string) => Promise<Outcome>;
}

/** The first rounds end because the loop calls a tool next. */
export interface ToolCallDue {
  readonly kind: "calls-tool";
  /** The model's answers so far, with which the inmate continues the loop. */
  readonly answers: FirstAnswer[];
}

export const runFirstRounds = async (options: FirstRoundsOptions): Promise<ToolCallDue | Outcome | Overflow> => {
  const { input, signal, leakScan, models, untilReady, reply } = options;
  const answers: FirstAnswer[] = [];
  let state = startLoop(input);
  let sentMessages = state.messages;
  for (;;) {
    const decision = decide(state);
    if (decision.kind === "tool") return { kind: "calls-tool", answers };
    // The first step does not wait: it is committed together with the beginning.
    if (state.step > 0) await untilReady();
    if (signal.aborted) return { kind: "stopped" };
    if (decision.kind === "reply") return reply(decision.text);
    if (decision.kind === "exhausted")
      return { kind: "failed", error: leakScan.redactError(toErrorBody(noRoundsLeftError(decision.rounds))) };
    const { step, system, messages, tools, toolUse } = decision;
    const answer = await models.request({
      step,
      system: [...system],
      kept: sentMessages.length,
      messages: messages.slice(sentMessages.length),
      tools: [...tools],
      toolUse,
    });
    if (answer.kind !== "answer") return answer;
    const { result } = answer;
    if ("error" in result) {
      if (signal.aborted) return { kind: "stopped" };
      return models.hasOverflowed() ? { kind: "overflow" } : { kind: "failed", error: result.error };
    }
    answers.push(result);
    sentMessages = messages;
    state = afterFirstAnswer(state, result);
  }
};
