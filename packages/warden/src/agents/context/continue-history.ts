/**
 * Converts the steps of an activation that another version of the loop began into history. The loop
 * then begins after these steps.
 */
import type { ActivationInput, ModelMessage, Part, ToolCall } from "@hearth/protocol";

/**
 * A step in the form that becomes history: a model reply, a tool result, or messages that arrived
 * during the turn.
 */
export type HistoryStep =
  | { readonly kind: "model"; readonly message: Extract<ModelMessage, { role: "assistant" }> }
  | { readonly kind: "tool"; readonly text: string; readonly failed: boolean; readonly parts?: Part[] }
  | { readonly kind: "intake"; readonly messages: readonly Extract<ModelMessage, { role: "user" }>[] };

const NOT_MADE_TEXT = "Hearth restarted before this call was made.";

/**
 * Appends the steps to the input. `steps` are in order and without gaps. Every tool call gets a
 * result before the next message, because providers reject a call without a result. The result of a
 * call that the activation did not make before its steps became history is a placeholder.
 */
export const continueFrom = (input: ActivationInput, steps: readonly HistoryStep[]): ActivationInput => {
  const stepCount = steps.length;
  if (stepCount === 0) return input;
  const history: ModelMessage[] = [...input.history];
  let pendingCalls: readonly ToolCall[] = [];
  const answer = (text: string, failed: boolean, parts?: Part[]): void => {
    const [call, ...laterCalls] = pendingCalls;
    if (call === undefined) return;
    history.push({
      role: "tool",
      call: call.id,
      name: call.name,
      text,
      failed,
      ...(parts === undefined ? {} : { parts }),
    });
    pendingCalls = laterCalls;
  };
  const answerPending = (): void => {
    while (pendingCalls.length > 0) answer(NOT_MADE_TEXT, true);
  };
  for (const step of steps) {
    switch (step.kind) {
      case "model":
        answerPending();
        history.push(step.message);
        pendingCalls = step.message.toolCalls;
        break;
      case "tool":
        answer(step.text, step.failed, step.parts);
        break;
      case "intake":
        answerPending();
        history.push(...step.messages);
        break;
    }
  }
  answerPending();
  const rounds = steps.filter(({ kind }) => kind === "model").length;
  return { ...input, history, before: { steps: stepCount, rounds } };
};
