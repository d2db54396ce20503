import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import type { StopReason } from "@hearth/protocol";
import { createAnthropicProvider } from "./anthropic.ts";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { expect, test } from "bun:test";
import { ask, collect } from "../provider.conformance.ts";
import { createFakeWire } from "./wire-fake.ts";
import { wireConformance } from "./wire.conformance.ts";
import type { VendorWire } from "./wire-harness.conformance.ts";

const fixture = (name: string): Promise<Uint8Array> =>
  Bun.file(new URL(`../fixtures/anthropic-${name}.sse`, import.meta.url)).bytes();

const event = (body: { readonly type: RawMessageStreamEvent["type"] | "error" } & Record<string, unknown>): string =>
  `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;

const noTokens = { input_tokens: 0, output_tokens: 0 };

const begin = (texts: readonly string[], usage: unknown = noTokens): string =>
  [
    event({ type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], usage } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "", citations: null } }),
    ...texts.map((text) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
  ].join("");

const reasons: Readonly<Record<StopReason, string>> = {
  end: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  refusal: "refusal",
};

const thinking = (index: number, thought: string, signature: string): string =>
  [
    event({ type: "content_block_start", index, content_block: { type: "thinking", thinking: "", signature: "" } }),
    ...[thought.slice(0, 9), thought.slice(9)].map((piece) =>
      event({ type: "content_block_delta", index, delta: { type: "thinking_delta", thinking: piece } }),
    ),
    event({ type: "content_block_delta", index, delta: { type: "signature_delta", signature } }),
    event({ type: "content_block_stop", index }),
  ].join("");

const whole = (index: number, block: object, delta: object): string =>
  [
    event({ type: "content_block_start", index, content_block: block }),
    event({ type: "content_block_delta", index, delta }),
    event({ type: "content_block_stop", index }),
  ].join("");

const call = (id: string): object => ({ type: "tool_use", id, name: "read", input: {} });

const wire: VendorWire = {
  begin,
  stream: ({ texts, calls = [], stop = "end", usage = noTokens }) =>
    [
      begin(texts, usage),
      event({ type: "content_block_stop", index: 0 }),
      ...calls.flatMap(({ id, name, input }, index) => [
        event({
          type: "content_block_start",
          index: index + 1,
          content_block: { type: "tool_use", id, name, input: {} },
        }),
        event({
          type: "content_block_delta",
          index: index + 1,
          delta: { type: "input_json_delta", partial_json: input.slice(0, 3) },
        }),
        event({
          type: "content_block_delta",
          index: index + 1,
          delta: { type: "input_json_delta", partial_json: input.slice(3) },
        }),
        event({ type: "content_block_stop", index: index + 1 }),
      ]),
      event({ type: "message_delta", delta: { stop_reason: reasons[stop], stop_sequence: null }, usage }),
      event({ type: "message_stop" }),
    ].join(""),
  overloadedEvent: event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
  complaint: (kind, message) => {
    const [status, type, words] = {
      auth: [401, "authentication_error", message],
      rate: [429, "rate_limit_error", message],
      overloaded: [529, "overloaded_error", message],
      failed: [500, "api_error", message],
      overflow: [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
    }[kind] as [number, string, string];
    return { status, body: JSON.stringify({ type: "error", error: { type, message: words }, request_id: "req_1" }) };
  },
  brokenUsages: [
    undefined,
    null,
    7,
    { input_tokens: -1, output_tokens: -5, cache_read_input_tokens: 1.5 },
    { output_tokens: "many" },
  ],
  recordings: [
    {
      name: "a recorded text",
      bytes: await fixture("text"),
      terminal: '"message_stop"',
      expected: { text: "Hello! How can I help you today?", toolCalls: [], stopReason: "end", inputTokens: 25 },
    },
    {
      name: "a recorded answer with thoughts, text and two calls",
      bytes: await fixture("tools"),
      terminal: '"message_stop"',
      expected: {
        text: "I read both.",
        toolCalls: [
          { id: "toolu_01T1x1fJ34qAmk2tNTrN7Up6", name: "read", input: { path: "notes.md", limit: 20 } },
          { id: "toolu_01GkT5kQXgWvJFVTvFHmCbCG", name: "list", input: {} },
        ],
        stopReason: "tool-calls",
        inputTokens: 472,
      },
    },
    {
      name: "a recorded text beyond ASCII",
      bytes: await fixture("unicode"),
      terminal: '"message_stop"',
      expected: { text: "Grüße 👩‍👩‍👧 — 日本語 🌍!", toolCalls: [], stopReason: "end", inputTokens: 12 },
    },
  ],
  thinking: {
    name: "an answer with thoughts between text and calls",
    bytes: new TextEncoder().encode(
      [
        event({ type: "message_start", message: { usage: { input_tokens: 3, output_tokens: 1 } } }),
        thinking(0, " sealed \0 🌍\n", "c2lnbmVk+/=="),
        event({
          type: "content_block_start",
          index: 1,
          content_block: { type: "redacted_thinking", data: "sealed+/=" },
        }),
        event({ type: "content_block_stop", index: 1 }),
        whole(2, { type: "text", text: "" }, { type: "text_delta", text: "I look 🌍. " }),
        // The thinking text is left out, as newer models do.
        thinking(3, "", "sealed, too"),
        whole(4, { type: "text", text: "Here." }, { type: "text_delta", text: "" }),
        whole(5, call("toolu_1"), { type: "input_json_delta", partial_json: "{}" }),
        thinking(6, "sealed once more", "last"),
        whole(7, call("toolu_2"), { type: "input_json_delta", partial_json: "{}" }),
        event({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } }),
        event({ type: "message_stop" }),
      ].join(""),
    ),
    terminal: '"message_stop"',
    expected: {
      text: "I look 🌍. Here.",
      toolCalls: [
        { id: "toolu_1", name: "read", input: {} },
        { id: "toolu_2", name: "read", input: {} },
      ],
      stopReason: "tool-calls",
      inputTokens: 3,
    },
    back: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: " sealed \0 🌍\n", signature: "c2lnbmVk+/==" },
        { type: "redacted_thinking", data: "sealed+/=" },
        { type: "text", text: "I look 🌍. " },
        { type: "thinking", thinking: "", signature: "sealed, too" },
        { type: "text", text: "Here." },
        call("toolu_1"),
        { type: "thinking", thinking: "sealed once more", signature: "last" },
        call("toolu_2"),
      ],
    },
  },
};

wireConformance("anthropic", createAnthropicProvider, wire);

test.each([
  [undefined, "https://api.anthropic.com/v1/messages"],
  ["https://proxy.example", "https://proxy.example/v1/messages"],
  ["https://proxy.example/claude/v1/", "https://proxy.example/claude/v1/messages"],
])("with the base URL %p a call goes to %s", async (baseUrl, url) => {
  const { fetch, requests } = createFakeWire([{ chunks: [] }]);
  const { clock } = createFakeWorld({ hash: () => "" });
  const provider = await createAnthropicProvider({ fetch, clock, ...(baseUrl === undefined ? {} : { baseUrl }) });
  await collect(provider.stream(ask("Hello"), new AbortController().signal));
  expect(requests.map((request) => request.url)).toEqual([url]);
});
