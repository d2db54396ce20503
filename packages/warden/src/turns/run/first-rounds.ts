/**
 * Runs the loop in the warden up to its first tool call. Until then its requests depend on the
 * input alone, so the cell has no part in them, and a turn without tool calls sends it nothing.
 */
import type { ChokePoint } from "../../policy/index.ts";
import { type ActivationInput, type FirstAnswer, toErrorBody } from "@hearth/protocol";
import { afterFirstAnswer, decide, noRoundsLeft, startLoop } from "@hearth/protocol/loop";
import type { ModelSteps } from "./model-steps.ts";
import type { Outcome, Overflow } from "./outcome.ts";

export interface FirstRoundsOptions {
  readonly input: ActivationInput;
  readonly signal: AbortSignal;
  readonly leaks: Pick<ChokePoint["leaks"], "redactError">;
  readonly models: ModelSteps;
  /** Resolves when the activation's beginning is on disk. */
  readonly ready: () => Promise<void>;
  /** The outcome of a reply. */
  readonly reply: (text: string) => Promise<Outcome>;
}

/** The loop calls a tool next. */
export interface CallsTool {
  readonly kind: "calls-tool";
  /** The answers to the requests before it. */
  readonly answers: FirstAnswer[];
}

export const runFirstRounds = async (options: FirstRoundsOptions): Promise<CallsTool | Outcome | Overflow> => {
  const { input, signal, leaks, models, ready, reply } = options;
  const answers: FirstAnswer[] = [];
  let state = startLoop(input);
  let sent = state.messages;
  for (;;) {
    const decision = decide(state);
    if (decision.kind === "tool") return { kind: "calls-tool", answers };
    // The first step is committed together with the beginning.
    if (state.step > 0) await ready();
    if (signal.aborted) return { kind: "stopped" };
    if (decision.kind === "reply") return reply(decision.text);
    if (decision.kind === "exhausted")
      return { kind: "failed", error: leaks.redactError(toErrorBody(noRoundsLeft(decision.rounds))) };
    const { step, system, messages, tools, toolUse } = decision;
    const answer = await models.request({
      step,
      system: [...system],
      kept: sent.length,
      messages: messages.slice(sent.length),
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
    sent = messages;
    state = afterFirstAnswer(state, result);
  }
};
