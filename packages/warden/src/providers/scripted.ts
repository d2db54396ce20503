/** The fake model: it says what a test wrote down, and keeps what it was asked. */
import type { ErrorBody, ModelEvent, ModelRequest, StopReason, ToolCall, Usage } from "@hearth/protocol";
import { noUsage } from "@hearth/protocol";
import type { Provider } from "./provider.ts";
import { toDeltas } from "./text.ts";

export type ScriptedReply =
  | {
      readonly text?: string;
      readonly toolCalls?: readonly ToolCall[];
      /** Default: what the calls imply. */
      readonly stopReason?: StopReason;
      readonly usage?: Usage;
    }
  | { readonly error: ErrorBody; readonly retryAfterMs?: number }
  /** Says `text`, if any, and then nothing until it is stopped. */
  | { readonly hang: true; readonly text?: string };

export type Script = readonly ScriptedReply[] | ((request: ModelRequest, call: number) => ScriptedReply);

export interface ScriptedProvider extends Provider {
  /** Oldest first. */
  readonly requests: readonly ModelRequest[];
}

/** Answers the n-th call with the n-th reply. A call after the last one fails, and says so. */
export const createScriptedProvider = (script: Script): ScriptedProvider => {
  const requests: ModelRequest[] = [];
  return {
    kind: "scripted",
    traits: { offline: true },
    requests,
    async *stream(request, signal) {
      if (!signal.aborted) {
        const call = requests.push(structuredClone(request)) - 1;
        const reply = typeof script === "function" ? script(request, call) : script[call];
        for await (const event of play(reply ?? over(call), signal)) {
          if (signal.aborted) break;
          yield event;
          if (event.type !== "text-delta") return;
        }
      }
      yield { type: "error", error: { code: "provider.aborted", message: "The call was stopped." } };
    },
  };
};

const over = (call: number): ScriptedReply => ({
  error: { code: "provider.failed", message: `The script has no reply for call ${call + 1}.` },
});

const play = async function* (reply: ScriptedReply, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  if ("error" in reply) {
    yield { type: "error", ...reply };
    return;
  }
  const text = reply.text ?? "";
  for (const delta of toDeltas(text)) {
    yield { type: "text-delta", text: delta };
    await Promise.resolve();
  }
  if ("hang" in reply) {
    await aborted(signal);
    return;
  }
  const toolCalls = [...(reply.toolCalls ?? [])];
  const stopReason = reply.stopReason ?? (toolCalls.length > 0 ? "tool-calls" : "end");
  yield { type: "end", message: { role: "assistant", text, toolCalls }, stopReason, usage: reply.usage ?? noUsage };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
