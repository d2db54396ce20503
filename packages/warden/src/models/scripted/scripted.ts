/** The fake model: it answers with a test's script, and records the requests. */
import {
  type ErrorBody,
  fileKinds,
  fromErrorBody,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  type StopReason,
  type ToolCall,
  type Usage,
  untilAborted,
} from "@hearth/protocol";
import type { Provider } from "../provider.ts";
import { toDeltas } from "../wires/text.ts";

export type ScriptedReply =
  | {
      readonly text?: string;
      readonly toolCalls?: readonly ToolCall[];
      /** Default: derived from the calls. */
      readonly stopReason?: StopReason;
      readonly usage?: Usage;
    }
  /** Sends `text`, if any, and fails. */
  | { readonly error: ErrorBody; readonly text?: string; readonly retryAfterMs?: number; readonly usage?: Usage }
  /** Sends `text`, if any, and then nothing until it is stopped. */
  | { readonly hang: true; readonly text?: string };

export type Script =
  | readonly ScriptedReply[]
  | ((request: ModelRequest, call: number) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedProvider extends Provider {
  /** Oldest first. */
  readonly requests: readonly ModelRequest[];
}

/** Its models: names, a failure, or nothing until it is stopped. */
export type ScriptedModels = readonly string[] | { readonly error: ErrorBody } | { readonly hang: true };

/**
 * Answers the n-th call with the n-th reply. A call after the last reply fails with an explanation.
 */
export const createScriptedProvider = (script: Script, models: ScriptedModels = ["scripted"]): ScriptedProvider => {
  const requests: ModelRequest[] = [];
  return {
    kind: "scripted",
    traits: { offline: true, carries: fileKinds },
    requests,
    async *stream(request, signal) {
      if (!signal.aborted) {
        const call = requests.push(structuredClone(request)) - 1;
        const reply = typeof script === "function" ? await script(request, call) : script[call];
        for await (const event of play(reply ?? noFurtherReply(call), signal)) {
          if (signal.aborted) break;
          yield event;
          if (event.type !== "text-delta") return;
        }
      }
      yield { type: "error", error: stoppedError };
    },
    async models(signal) {
      if ("hang" in models) await untilAborted(signal);
      if (signal.aborted || "hang" in models) throw fromErrorBody(stoppedError);
      if ("error" in models) throw fromErrorBody(models.error);
      return models;
    },
  };
};

const stoppedError: ErrorBody = { code: "provider.aborted", message: "The call was stopped." };

const noFurtherReply = (call: number): ScriptedReply => ({
  error: { code: "provider.failed", message: `The script has no reply for call ${call + 1}.` },
});

const play = async function* (reply: ScriptedReply, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const { text = "" } = reply;
  for (const delta of toDeltas(text)) {
    yield { type: "text-delta", text: delta };
    await Promise.resolve();
  }
  if ("error" in reply) {
    const { text: _said, ...failure } = reply;
    yield { type: "error", ...failure };
    return;
  }
  if ("hang" in reply) {
    await untilAborted(signal);
    return;
  }
  const toolCalls = [...(reply.toolCalls ?? [])];
  const stopReason = reply.stopReason ?? (toolCalls.length > 0 ? "tool-calls" : "end");
  yield { type: "end", message: { role: "assistant", text, toolCalls }, stopReason, usage: reply.usage ?? noUsage };
};
