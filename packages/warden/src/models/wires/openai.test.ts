import type { StopReason } from "@hearth/protocol";
import { createOpenAIProvider } from "./openai.ts";
import { wireConformance } from "./wire.conformance.ts";
import type { VendorWire } from "./wire-harness.conformance.ts";

const fixture = (name: string): Promise<Uint8Array> =>
  Bun.file(new URL(`../fixtures/openai-${name}.sse`, import.meta.url)).bytes();

const event = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`;
const chunk = (delta: object, finishReason: string | null = null): string =>
  event({
    id: "1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });

const begin = (texts: readonly string[]): string =>
  [chunk({ role: "assistant", content: "" }), ...texts.map((content) => chunk({ content }))].join("");

const reasons: Readonly<Record<StopReason, string>> = {
  end: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  refusal: "content_filter",
};

const signedCall = {
  // Longer than the limit for ids of other vendors; sealed data may refer to it.
  id: `call_${"x".repeat(60)}`,
  type: "function",
  function: { name: "read", arguments: "{}" },
  extra_content: { google: { thought_signature: "sealed+/=" } },
};

const wire: VendorWire = {
  begin,
  stream: ({ texts, calls = [], stop = "end", usage }) =>
    [
      begin(texts),
      ...calls.flatMap(({ id, name, input }, index) => [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: input.slice(0, 3) } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: input.slice(3) } }] }),
      ]),
      chunk({}, reasons[stop]),
      event({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage }),
      "data: [DONE]\n\n",
    ].join(""),
  overloadedEvent: event({ error: { code: 503, message: "The model is overloaded" } }),
  complaint: (kind, message) => {
    const [status, type, code, words] = {
      auth: [401, "invalid_request_error", "invalid_api_key", message],
      rate: [429, "requests", "rate_limit_exceeded", message],
      overloaded: [503, "server_error", null, message],
      failed: [500, "server_error", null, message],
      overflow: [
        400,
        "invalid_request_error",
        "context_length_exceeded",
        "Your input exceeds the context window of this model.",
      ],
    }[kind] as [number, string, string | null, string];
    return { status, body: JSON.stringify({ error: { message: words, type, param: null, code } }) };
  },
  brokenUsages: [
    undefined,
    null,
    7,
    { prompt_tokens: -1, completion_tokens: 1.5 },
    { prompt_tokens: "3", prompt_tokens_details: { cached_tokens: -2 } },
  ],
  recordings: [
    {
      name: "a recorded text",
      bytes: await fixture("text"),
      terminal: '"finish_reason":"',
      expected: { text: "Hello! How can I help you today?", toolCalls: [], stopReason: "end", inputTokens: 25 },
    },
    {
      name: "a recorded answer with text and two calls",
      bytes: await fixture("tools"),
      terminal: '"finish_reason":"',
      expected: {
        text: "I read both.",
        toolCalls: [
          { id: "call_NsdLGs6whPLdpEdKkSm2Wn1C", name: "read", input: { path: "notes.md", limit: 20 } },
          { id: "call_2TqRn7Yx5GvmfNnyhKKrSzPq", name: "list", input: {} },
        ],
        stopReason: "tool-calls",
        inputTokens: 472,
      },
    },
    {
      name: "a recorded text beyond ASCII",
      bytes: await fixture("unicode"),
      terminal: '"finish_reason":"',
      expected: { text: "Grüße 👩‍👩‍👧 — 日本語 🌍!", toolCalls: [], stopReason: "end", inputTokens: 12 },
    },
  ],
  thinking: {
    name: "an answer with thoughts of every kind before a call",
    bytes: new TextEncoder().encode(
      [
        chunk({ role: "assistant", content: "", reasoning_content: "" }),
        chunk({ content: null, reasoning_content: " sealed " }),
        chunk({ content: null, reasoning_content: "\0 🌍\n" }),
        chunk({ reasoning: "sealed", reasoning_details: [{ type: "reasoning.text", text: "sealed", index: 0 }] }),
        chunk({ reasoning_details: [{ type: "reasoning.text", signature: "c2lnbmVk+/==", index: 0 }] }),
        chunk({ content: "I look.", reasoning_content: null }),
        chunk({ extra_content: signedCall.extra_content }),
        chunk({ tool_calls: [signedCall] }),
        chunk({}, "tool_calls"),
        event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } }),
        "data: [DONE]\n\n",
      ].join(""),
    ),
    terminal: '"finish_reason":"',
    expected: {
      text: "I look.",
      toolCalls: [{ id: signedCall.id, name: "read", input: {} }],
      stopReason: "tool-calls",
      inputTokens: 3,
    },
    back: {
      role: "assistant",
      content: "I look.",
      tool_calls: [signedCall],
      reasoning_content: " sealed \0 🌍\n",
      reasoning: "sealed",
      reasoning_details: [{ type: "reasoning.text", text: "sealed", index: 0, signature: "c2lnbmVk+/==" }],
      extra_content: signedCall.extra_content,
    },
  },
};

wireConformance("openai", createOpenAIProvider, wire);
