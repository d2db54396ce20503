/** One call of a model: text passes by as it comes, the whole message is the result. */
import {
  type AssistantMessage,
  type ErrorBody,
  MAX_MESSAGE_LENGTH,
  type ModelRequest,
  type Usage,
} from "@hearth/protocol";
import type { Provider } from "../providers/provider.ts";

export type ModelOutcome =
  | { readonly kind: "message"; readonly message: AssistantMessage; readonly usage: Usage }
  | { readonly kind: "error"; readonly error: ErrorBody };

export const callModel = async (options: {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
}): Promise<ModelOutcome> => {
  const { provider, request, signal, onText } = options;
  const enough = new AbortController();
  let length = 0;
  for await (const event of provider.stream(request, AbortSignal.any([signal, enough.signal]))) {
    switch (event.type) {
      case "text-delta":
        length += event.text.length;
        if (length <= MAX_MESSAGE_LENGTH) onText(event.text);
        else enough.abort();
        break;
      case "error":
        return { kind: "error", error: enough.signal.aborted ? endless : event.error };
      case "end": {
        const { message, stopReason, usage } = event;
        if (message.text.length > MAX_MESSAGE_LENGTH) return { kind: "error", error: endless };
        if (stopReason === "refusal" && message.text === "") return { kind: "error", error: refused };
        if (stopReason !== "length" || message.toolCalls.length > 0) return { kind: "message", message, usage };
        if (message.text === "") return { kind: "error", error: cutShort };
        onText(CUT);
        return { kind: "message", message: { ...message, text: message.text + CUT }, usage };
      }
    }
  }
  return { kind: "error", error: { code: "provider.truncated", message: "The model's answer ended without an end." } };
};

const CUT = "\n\n[The answer was cut here: it reached the length limit of the model.]";

const cutShort: ErrorBody = {
  code: "provider.truncated",
  message: "The model reached its length limit before it said anything.",
  hint: "Ask for something shorter, or choose another model: hearth agent edit NAME --model …",
};

const endless: ErrorBody = {
  code: "provider.failed",
  message: `The model did not stop: its answer went past ${MAX_MESSAGE_LENGTH} characters and was cut off.`,
  hint: "Ask for something shorter, or choose another model: hearth agent edit NAME --model …",
};

const refused: ErrorBody = {
  code: "provider.refused",
  message: "The model refused to answer.",
  hint: "Put it in other words, or choose another model: hearth agent edit NAME --model …",
};
