/**
 * The built-in provider. It is no language model and says so: it knows a handful of requests, does them with the tools it is
 * offered, and answers at once, without a network, a key or a cost. What it knows is listed in `offline-requests.ts`.
 */
import { type ModelEvent, type ModelMessage, type ModelRequest, noUsage, type ToolMessage } from "@hearth/protocol";
import { answerRequest } from "./offline-answers.ts";
import type { Move, Scene } from "./offline-move.ts";
import { readRequest } from "./offline-requests.ts";
import { freshCallId } from "../resilience/prepare.ts";
import type { ProviderFactory } from "../provider.ts";
import { toDeltas } from "../wires/text.ts";

export const createOfflineProvider: ProviderFactory = ({ clock }) => ({
  kind: "offline",
  traits: { offline: true },
  async *stream(request, signal) {
    const move = decide(request);
    const text = "say" in move ? move.say : "";
    for (const delta of toDeltas(text)) {
      if (signal.aborted) break;
      yield { type: "text-delta", text: delta };
      // Others get their turn: a stop in the middle must be able to arrive.
      await clock.turn();
    }
    yield signal.aborted ? stopped : end(request, move, text);
  },
  models: () => Promise.resolve(["basic"]),
});

const stopped: ModelEvent = { type: "error", error: { code: "provider.aborted", message: "The call was stopped." } };

const end = (request: ModelRequest, move: Move, text: string): ModelEvent => ({
  type: "end",
  message: {
    role: "assistant",
    text,
    toolCalls:
      "call" in move
        ? [{ id: freshCallId(request.messages.length, 0), name: move.call, input: { ...move.input } }]
        : [],
  },
  stopReason: "call" in move ? "tool-calls" : "end",
  usage: noUsage,
});

/** The next move follows from the messages alone: the last thing a person said, and what has been done about it since. */
const decide = ({ messages, system, tools, toolUse }: ModelRequest): Move => {
  const last = messages.findLastIndex((message) => message.role === "user");
  const asked = messages[last];
  const scene: Scene = {
    offers: tools,
    results: messages.slice(last + 1).filter(isResult),
    system: system.map(({ text }) => text).join("\n"),
  };
  const move = answerRequest(readRequest(asked?.role === "user" ? asked.text : ""), scene);
  if ("say" in move || toolUse === "allowed") return move;
  return { say: "I had to stop before the end: no more tool calls are allowed in this turn. Ask me again to go on." };
};

const isResult = (message: ModelMessage): message is ToolMessage => message.role === "tool";
