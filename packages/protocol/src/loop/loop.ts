/**
 * The agent's loop as pure functions. Its state is a fold over its steps, so a journal of steps is
 * enough to resume after a crash. The loop decides; its drivers call models and tools: the warden
 * up to the first tool call, and the inmate from there on.
 */
import type { AssistantMessage, ModelMessage, SystemPart, ToolCall, UserMessage } from "../agents/model.ts";
import { HearthError } from "../base/error.ts";
import type { ActivationInput, FirstAnswer } from "../link/frame.ts";
import { findTool, parseFoundNames, tools as builtInTools } from "../tools/index.ts";
import { buildSystem } from "./prompt.ts";

export { systemPieces } from "./prompt.ts";

export interface LoopState {
  readonly input: ActivationInput;
  readonly system: readonly SystemPart[];
  readonly messages: readonly ModelMessage[];
  /** Index of the next step. */
  readonly step: number;
  /** Number of finished model calls. */
  readonly rounds: number;
  /** Calls of the last round that have not run yet, in order. */
  readonly pending: readonly ToolCall[];
  /** Whether calls of the last round were dropped. */
  readonly dropped: boolean;
}

export type Decision =
  | {
      readonly kind: "model";
      readonly step: number;
      readonly system: readonly SystemPart[];
      readonly messages: readonly ModelMessage[];
      readonly tools: readonly string[];
      readonly toolUse: "allowed" | "forbidden";
    }
  | { readonly kind: "tool"; readonly step: number; readonly call: ToolCall }
  | { readonly kind: "reply"; readonly text: string }
  /** All rounds are used, and the model called tools instead of answering. */
  | { readonly kind: "exhausted"; readonly rounds: number };

export const startLoop = (input: ActivationInput): LoopState => ({
  input,
  system: buildSystem(input),
  messages: input.history,
  step: input.before?.steps ?? 0,
  rounds: input.before?.rounds ?? 0,
  pending: [],
  dropped: false,
});

/** Returns the next action. */
export const decide = (state: LoopState): Decision => {
  const [call] = state.pending;
  if (call !== undefined) return { kind: "tool", step: state.step, call };
  const lastMessage = state.messages.at(-1);
  if (state.step > (state.input.before?.steps ?? 0) && lastMessage?.role === "assistant") {
    return state.dropped && lastMessage.text === ""
      ? { kind: "exhausted", rounds: state.rounds }
      : { kind: "reply", text: lastMessage.text };
  }
  return {
    kind: "model",
    step: state.step,
    system: state.system,
    messages: state.messages,
    tools: offeredTools(state),
    toolUse: state.rounds + 1 < state.input.maxRounds ? "allowed" : "forbidden",
  };
};

/**
 * Tools that were found stay offered. This follows from the messages alone, so a resumed loop
 * offers the same tools.
 */
const offeredTools = ({ input: { tools, hidden = [] }, messages }: LoopState): readonly string[] => {
  if (hidden.length === 0) return tools;
  const foundNames = messages.flatMap((message) =>
    message.role === "tool" && findTool(builtInTools, message.name)?.revealsTools ? parseFoundNames(message.text) : [],
  );
  return tools.filter((name) => !hidden.includes(name) || foundNames.includes(name));
};

/** Adds the answer to a model request that came before the first tool call. */
export const afterFirstAnswer = (state: LoopState, answer: FirstAnswer): LoopState =>
  "intake" in answer ? afterIntake(state, answer.intake) : afterModel(state, answer.message);

/** Adds messages of people that arrived meanwhile. The model reads them next. */
export const afterIntake = (state: LoopState, messages: readonly UserMessage[]): LoopState => ({
  ...state,
  messages: [...state.messages, ...messages],
  step: state.step + 1,
});

/**
 * Adds a model's answer. In the last round its calls are dropped, because no model call would read
 * their results.
 */
export const afterModel = (state: LoopState, message: AssistantMessage): LoopState => {
  const rounds = state.rounds + 1;
  const toolCalls = rounds < state.input.maxRounds ? message.toolCalls : [];
  return {
    ...state,
    messages: [...state.messages, { ...message, toolCalls }],
    step: state.step + 1,
    rounds,
    pending: toolCalls,
    dropped: toolCalls.length < message.toolCalls.length,
  };
};

/**
 * Adds the result of the first pending call. Refused calls also get a result, so the history stays
 * well formed. The warden keeps files of results and adds them to its requests.
 */
export const afterTool = (
  state: LoopState,
  { text, failed }: { readonly text: string; readonly failed: boolean },
): LoopState => {
  const [call, ...pending] = state.pending;
  if (call === undefined) return state;
  return {
    ...state,
    messages: [...state.messages, { role: "tool", call: call.id, name: call.name, text, failed }],
    step: state.step + 1,
    pending,
  };
};

export const noRoundsLeftError = (rounds: number): HearthError =>
  new HearthError("activation.limit", `The agent used all its ${rounds} rounds on tools and gave no answer.`, {
    hint: 'Ask for less at once, or say "continue": the work so far is kept.',
  });
