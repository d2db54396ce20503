/**
 * The built-in provider. It is not a language model and says so. It recognises a few requests,
 * fulfils them with the offered tools, and answers at once without a network, a key or a cost.
 * `offline-requests.ts` lists the requests.
 */
import { type ModelEvent, type ModelMessage, type ModelRequest, noUsage, type ToolMessage } from "@hearth/protocol";
import { answerRequest } from "./offline-answers.ts";
import type { Move, RequestContext } from "./offline-move.ts";
import { readRequest } from "./offline-requests.ts";
import { createCallId } from "../resilience/prepare.ts";
import type { ProviderFactory } from "../provider.ts";
import { toDeltas } from "../wires/text.ts";

export const createOfflineProvider: ProviderFactory = ({ clock }) => ({
  kind: "offline",
  traits: { offline: true, carries: [] },
  async *stream(request, signal) {
    const move = decide(request);
    const text = "say" in move ? move.say : "";
    for (const delta of toDeltas(text)) {
      if (signal.aborted) break;
      yield { type: "text-delta", text: delta };
      // Other work runs in between, so that a stop can arrive during the answer.
      await clock.turn();
    }
    yield signal.aborted ? stoppedEvent : toEndEvent(request, move, text);
  },
  models: () => Promise.resolve(["basic"]),
});

const stoppedEvent: ModelEvent = {
  type: "error",
  error: { code: "provider.aborted", message: "The call was stopped." },
};

const toEndEvent = (request: ModelRequest, move: Move, text: string): ModelEvent => ({
  type: "end",
  message: {
    role: "assistant",
    text,
    toolCalls:
      "call" in move
        ? [{ id: createCallId(request.messages.length, 0), name: move.call, input: { ...move.input } }]
        : [],
  },
  stopReason: "call" in move ? "tool-calls" : "end",
  usage: noUsage,
});

/**
 * Returns the next move. It depends only on the messages: a person's last message and the tool
 * results since then.
 */
const decide = ({ messages, system, tools, toolUse }: ModelRequest): Move => {
  const lastUserIndex = messages.findLastIndex((message) => message.role === "user");
  const lastMessage = messages[lastUserIndex];
  const context: RequestContext = {
    offers: tools,
    results: messages.slice(lastUserIndex + 1).filter(isResult),
    system: system.map(({ text }) => text).join("\n"),
  };
  const move = answerRequest(readRequest(lastMessage?.role === "user" ? lastMessage.text : ""), context);
  if ("say" in move || toolUse === "allowed") return move;
  return {
    say: "I had to stop before the end: this turn has used all its tool calls. Ask me again to continue.",
  };
};

const isResult = (message: ModelMessage): message is ToolMessage => message.role === "tool";
