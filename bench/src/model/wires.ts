/** The prepared response of the instant model for each wire. */

export const wires = ["openai", "anthropic"] as const;
export type Wire = (typeof wires)[number];

/** The model's reply to every message. */
export const REPLY = "Here I am.";
/** The model's name without the provider's. */
export const MODEL = "instant";

/** Path of each wire below the server's root. */
const ends: Readonly<Record<Wire, string>> = { openai: "/chat/completions", anthropic: "/v1/messages" };

export const wireOf = (path: string): Wire | undefined => wires.find((wire) => path.endsWith(ends[wire]));

export const chunk = (fields: object): string =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: MODEL, choices: [], ...fields })}\n\n`;
export const choice = (delta: object, finish_reason: string | null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});

const openai = (): string =>
  [
    chunk(choice({ role: "assistant", content: "" }, null)),
    chunk(choice({ content: REPLY }, null)),
    chunk(choice({}, "stop")),
    chunk({ usage: { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 } }),
    "data: [DONE]\n\n",
  ].join("");

const named = (event: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const anthropic = (): string =>
  [
    named({
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: MODEL,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: REPLY } }),
    named({ type: "content_block_stop", index: 0 }),
    named({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 4 },
    }),
    named({ type: "message_stop" }),
  ].join("");

export const replyBytes = (): Readonly<Record<Wire, Uint8Array<ArrayBuffer>>> => {
  const encoder = new TextEncoder();
  return { openai: encoder.encode(openai()), anthropic: encoder.encode(anthropic()) };
};
