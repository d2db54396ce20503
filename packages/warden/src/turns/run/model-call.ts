/** Makes one model call: text streams to `onText`, and the whole message is the result. */
import type { OpenSpan } from "../../kernel/index.ts";
import type { ChargeGate, Provider, ReadFile, ReadText, ScalePart } from "../../models/index.ts";
import {
  addUsage,
  type AssistantMessage,
  type ErrorBody,
  MAX_MESSAGE_LENGTH,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  type ToolCall,
  type Usage,
  type WithheldFile,
} from "@hearth/protocol";
import { MAX_CALLS_BYTES, maxArgumentBytes } from "@hearth/protocol/tools";
import { isTransient } from "../recovery/retry-policy.ts";

export type ModelOutcome =
  | {
      readonly kind: "message";
      readonly message: AssistantMessage;
      readonly usage: Usage;
      /** The model that answered, as `provider/model`, when the provider had a choice. */
      readonly model?: string;
    }
  /** A failed call can cost tokens too. With `isTransient`, the same request may succeed later. */
  | { readonly kind: "error"; readonly error: ErrorBody; readonly usage: Usage; readonly isTransient?: true };

export interface ModelCall {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  /** Charges each request of the call to the budgets. When absent, the call is not charged. */
  readonly chargeGate?: ChargeGate;
  /** Reads the files of the request. Absent: the model gets their descriptions. */
  readonly readFile?: ReadFile;
  readonly readText?: ReadText;
  readonly scale?: ScalePart;
  readonly onText: (text: string) => void;
  /** Telemetry span of the call. The call ends it. */
  readonly span?: OpenSpan | undefined;
  /** Whether a message without text and calls is a failure. */
  readonly isAnswerNeeded?: boolean;
  /** Called before the provider waits and repeats the request. */
  readonly onRetry?: (retry: Extract<ModelEvent, { type: "retry" }>) => void;
  /** Shortens a request that the model refused as too long. Returns undefined when the request cannot be shortened. */
  readonly shrink: (messages: ModelRequest["messages"]) => ModelRequest["messages"] | undefined;
}

export const callModel = async (call: ModelCall): Promise<ModelOutcome> => {
  const outcome = await callAndShrink(call);
  const { usage } = outcome;
  call.span?.end({
    provider: call.provider.kind,
    model: call.request.model,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedTokens: usage.cacheReadTokens,
    ...(outcome.kind === "error" ? { error: outcome.error.code } : {}),
  });
  return outcome;
};

const callAndShrink = async (call: ModelCall): Promise<ModelOutcome> => {
  const outcome = await callOnce(call);
  if (outcome.kind !== "error" || outcome.error.code !== "provider.context-overflow") return outcome;
  const messages = call.shrink(call.request.messages);
  if (messages === undefined) return outcome;
  const secondOutcome = await callOnce({ ...call, request: { ...call.request, messages } });
  return { ...secondOutcome, usage: addUsage(outcome.usage, secondOutcome.usage) };
};

const callOnce = async ({
  provider,
  request,
  signal,
  chargeGate,
  readFile,
  readText,
  scale,
  onText,
  onRetry,
  isAnswerNeeded,
}: ModelCall): Promise<ModelOutcome> => {
  const tooLong = new AbortController();
  const context = { chargeGate, readFile, readText, scale };
  let length = 0;
  for await (const event of provider.stream(request, AbortSignal.any([signal, tooLong.signal]), context)) {
    switch (event.type) {
      case "text-delta":
        length += event.text.length;
        if (length <= MAX_MESSAGE_LENGTH) onText(event.text);
        else tooLong.abort();
        break;
      case "retry":
        onRetry?.(event);
        break;
      case "error":
        return tooLong.signal.aborted
          ? { kind: "error", error: ANSWER_TOO_LONG, usage: event.usage ?? noUsage }
          : toFailure(event.error, event.usage);
      case "end": {
        const { stopReason, usage } = event;
        const message = { ...event.message, toolCalls: emptyOversizedCalls(event.message.toolCalls) };
        const answeringModel = event.model === undefined ? {} : { model: event.model };
        if (message.text.length > MAX_MESSAGE_LENGTH) return { kind: "error", error: ANSWER_TOO_LONG, usage };
        const isEmpty = message.text.trim() === "" && message.toolCalls.length === 0;
        if (stopReason === "end" && isEmpty && isAnswerNeeded === true) return toFailure(EMPTY_ANSWER, usage);
        if (stopReason === "refusal" && message.text === "") return { kind: "error", error: REFUSED_TO_ANSWER, usage };
        if (message.toolCalls.length > 0) return { kind: "message", message, usage, ...answeringModel };
        if (stopReason === "length" && message.text === "") return { kind: "error", error: LENGTH_LIMIT, usage };
        const note =
          (stopReason === "length" ? CUT_OFF_NOTE : "") + (message.text === "" ? "" : withheldNote(event.withheld));
        if (note !== "") onText(note);
        return { kind: "message", message: { ...message, text: message.text + note }, usage, ...answeringModel };
      }
    }
  }
  return toFailure(STREAM_ENDED_EARLY, noUsage);
};

/**
 * Removes the arguments of calls that are too large, and records their size. The schema stage of
 * the policy then refuses these calls with the reason, and the turn continues.
 */
const emptyOversizedCalls = (calls: readonly ToolCall[]): ToolCall[] => {
  let totalBytes = 0;
  return calls.map((call) => {
    const sizeBytes = encoder.encode(JSON.stringify(call.input)).length;
    if (sizeBytes > maxArgumentBytes(call.name) || totalBytes + sizeBytes > MAX_CALLS_BYTES)
      return { ...call, input: {}, oversizedBytes: sizeBytes };
    totalBytes += sizeBytes;
    return call;
  });
};
const encoder = new TextEncoder();

const toFailure = (error: ErrorBody, usage: Usage = noUsage): ModelOutcome => ({
  kind: "error",
  error,
  usage,
  ...(isTransient(error.code) ? { isTransient: true } : {}),
});

const EMPTY_ANSWER: ErrorBody = {
  code: "provider.empty",
  message: "The model returned an empty answer.",
  hint: "Rephrase the message, or choose another model: hearth agent edit NAME --model PROVIDER/MODEL",
};

/** Note at the end of the answer that names the files that the model did not get. */
const withheldNote = (withheld: readonly WithheldFile[] = []): string =>
  withheld.length === 0
    ? ""
    : `\n\n[Not shown to the model: ${withheld.map(({ name, why }) => `${name} (${why})`).join("; ")}.]`;

const CUT_OFF_NOTE = "\n\n[The answer was cut off here: it reached the model's length limit.]";

const STREAM_ENDED_EARLY: ErrorBody = {
  code: "provider.truncated",
  message: "The stream of the model's answer ended early.",
};

const LENGTH_LIMIT: ErrorBody = {
  code: "provider.truncated",
  message: "The model reached its length limit before it wrote any text.",
  hint: "Ask for something shorter, or choose another model: hearth agent edit NAME --model …",
};

const ANSWER_TOO_LONG: ErrorBody = {
  code: "provider.failed",
  message: `The model's answer exceeded ${MAX_MESSAGE_LENGTH} characters and was cut off.`,
  hint: "Ask for something shorter, or choose another model: hearth agent edit NAME --model …",
};

const REFUSED_TO_ANSWER: ErrorBody = {
  code: "provider.refused",
  message: "The model refused to answer.",
  hint: "Rephrase the message, or choose another model: hearth agent edit NAME --model …",
};
