/** How servers deviate from the vendor's chat completions. */
import type { ModelMessage } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import { createOpenAIProvider } from "./openai.ts";
import { toOpenAI, traitsOf } from "./openai-request.ts";
import { type Answer, ask, codeOf, collect } from "../provider.conformance.ts";
import { openWire } from "./wire-harness.conformance.ts";

const never = new AbortController().signal;
const chunk = (delta: object, finishReason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});
const calls = (...toolCalls: object[]): object => chunk({ tool_calls: toolCalls });

const answerOf = async (chunks: readonly (object | string)[]): Promise<Answer> => {
  const text = chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("");
  const { provider } = await openWire(createOpenAIProvider, [{ chunks: [new TextEncoder().encode(text)] }]);
  return collect(provider.stream(ask("Hello"), never));
};

describe("chat completions of other servers", () => {
  test("an end without [DONE] is an end", async () => {
    expect((await answerOf([chunk({ content: "x" }), chunk({}, "stop")])).last).toMatchObject({
      type: "end",
      message: { text: "x" },
    });
  });

  test("[DONE] without a finish_reason is not an end", async () => {
    expect(codeOf(await answerOf([chunk({ content: "x" }), "[DONE]"]))).toBe("provider.truncated");
  });

  test("an answer that breaks off reports its length, with thoughts and calls counted once", async () => {
    const { last } = await answerOf([
      chunk({ reasoning_content: "four", reasoning: "four" }),
      chunk({ content: "Grüße" }),
      calls({ index: 0, id: "t", function: { name: "read", arguments: "{1" } }),
      calls({ index: 0, id: "t", function: { arguments: "234" } }),
    ]);
    expect(last).toMatchObject({ type: "error", saidBytes: 4 + 7 + "read".length + 5 });
  });

  test("an empty finish_reason is not an end", async () => {
    expect(codeOf(await answerOf([chunk({ content: "x" }, ""), "[DONE]"]))).toBe("provider.truncated");
  });

  test("a connection that breaks after the finish_reason loses only the usage", async () => {
    const text = `data: ${JSON.stringify(chunk({ content: "x" }, "stop"))}\n\n`;
    const { provider } = await openWire(createOpenAIProvider, [
      { chunks: [new TextEncoder().encode(text)], then: "break" },
    ]);
    expect((await collect(provider.stream(ask("Hello"), never))).last).toMatchObject({
      type: "end",
      message: { text: "x" },
    });
  });

  test("calls without ids get ids that depend on the conversation alone", async () => {
    const chunks = [
      calls(
        { index: 0, function: { name: "list", arguments: "{}" } },
        { index: 1, function: { name: "read", arguments: "{}" } },
      ),
      chunk({}, "tool_calls"),
    ];
    const first = await answerOf(chunks);
    expect(first.last).toMatchObject({
      message: {
        toolCalls: [
          { id: "c00001000", name: "list" },
          { id: "c00001001", name: "read" },
        ],
      },
    });
    expect(await answerOf(chunks)).toEqual(first);
  });

  test("calls that all have number 0 are distinguished by their ids", async () => {
    const { last } = await answerOf([
      calls({ index: 0, id: "a", function: { name: "list", arguments: '{"path":"x"}' } }),
      calls({ index: 0, id: "b", function: { name: "list", arguments: '{"path":"y"}' } }),
      chunk({}, "tool_calls"),
    ]);
    expect(last).toMatchObject({
      message: {
        toolCalls: [
          { id: "a", input: { path: "x" } },
          { id: "b", input: { path: "y" } },
        ],
      },
    });
  });

  test("two calls with one id and two numbers are two calls", async () => {
    const { last } = await answerOf([
      calls(
        { index: 0, id: "a", function: { name: "list", arguments: "{}" } },
        { index: 1, id: "a", function: { name: "read", arguments: "{}" } },
      ),
      chunk({}, "tool_calls"),
    ]);
    expect(last).toMatchObject({
      message: {
        toolCalls: [
          { id: "a", name: "list" },
          { id: "c00001001", name: "read" },
        ],
      },
    });
  });

  test("parts without a number continue the last call", async () => {
    const { last } = await answerOf([
      calls({ id: "a", function: { name: "list", arguments: '{"pa' } }),
      calls({ function: { arguments: 'th":"x"}' } }),
      chunk({}, "tool_calls"),
    ]);
    expect(last).toMatchObject({ message: { toolCalls: [{ id: "a", input: { path: "x" } }] } });
  });

  test.each(["first", "last"])("a signature in the %s part of a call is kept", async (signed) => {
    const extra = { extra_content: { google: { thought_signature: "s" } } };
    const { last } = await answerOf([
      calls({ index: 0, id: "a", function: { name: "list", arguments: "" }, ...(signed === "first" ? extra : {}) }),
      calls({ index: 0, function: { arguments: "{}" }, ...(signed === "last" ? extra : {}) }),
      chunk({}, "tool_calls"),
    ]);
    expect(last).toMatchObject({
      message: { vendor: { data: JSON.stringify({ message: {}, extras: [extra.extra_content] }) } },
    });
  });

  test("an id that is repeated in every part is one call", async () => {
    const part = (text: string): object => calls({ index: 0, id: "a", function: { name: "list", arguments: text } });
    expect((await answerOf([part('{"pa'), part('th":"x"}'), chunk({}, "tool_calls")])).last).toMatchObject({
      message: { toolCalls: [{ id: "a", name: "list", input: { path: "x" } }] },
    });
  });

  test("arguments may be an object, and the finish_reason a plain stop", async () => {
    const { last } = await answerOf([
      calls({ index: 0, id: "a", function: { name: "list", arguments: { path: "x" } } }),
      chunk({}, "stop"),
    ]);
    expect(last).toMatchObject({ stopReason: "tool-calls", message: { toolCalls: [{ input: { path: "x" } }] } });
  });

  test.each([
    [["x"], { input: {}, unreadable: '["x"]' }],
    [7, { input: {}, unreadable: "7" }],
    [null, { input: {} }],
  ])("arguments may arrive as %j", async (value, expected) => {
    const { last } = await answerOf([
      calls({ index: 0, id: "a", function: { name: "list", arguments: value } }),
      chunk({}, "tool_calls"),
    ]);
    expect(last).toHaveProperty("message.toolCalls", [{ id: "a", name: "list", ...expected }]);
  });

  test("a refusal in its own field is the text of a refusal", async () => {
    expect((await answerOf([chunk({ refusal: "I can't." }), chunk({}, "stop")])).last).toMatchObject({
      stopReason: "refusal",
      message: { text: "I can't." },
    });
  });

  test("thoughts and other choices are not part of the answer", async () => {
    const other = { choices: [{ index: 1, delta: { content: "other" }, finish_reason: "stop" }] };
    const { last } = await answerOf([
      chunk({ reasoning_content: "hm" }),
      other,
      chunk({ content: "x" }),
      chunk({}, "stop"),
    ]);
    expect(last).toMatchObject({ message: { text: "x" } });
  });

  test("thoughts inside the content are hidden, and sent back before the text with the results of the calls", async () => {
    const think = (text: string) => chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] });
    const { deltas, last } = await answerOf([
      think("I wo"),
      think("nder."),
      chunk({ content: [{ type: "text", text: "I " }] }),
      chunk({ content: "look." }),
      calls({ id: "a", function: { name: "list", arguments: "{}" } }),
      chunk({}, "tool_calls"),
    ]);
    expect(deltas.join("")).toBe("I look.");
    const message = last.type === "end" ? last.message : expect.unreachable();
    const traits = traitsOf("https://api.openai.com/v1");
    const results: ModelMessage = { role: "tool", call: "a", name: "list", text: "x", failed: false };
    const sent = (text: string) =>
      toOpenAI({ ...ask(""), messages: [{ ...message, text }, results] }, traits).messages[1];
    const thought = { type: "thinking", thinking: [{ type: "text", text: "I wonder." }] };
    expect(sent("I look.")).toMatchObject({ content: [thought, { type: "text", text: "I look." }] });
    expect(sent("")).toMatchObject({ content: [thought] });
  });

  test("cached input is counted separately", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 60 } };
    expect((await answerOf([chunk({ content: "x" }, "stop"), { choices: [], usage }])).last).toMatchObject({
      usage: { inputTokens: 40, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 0 },
    });
  });

  test("the reported usage is passed on also without an answer", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7 };
    const paid = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect((await answerOf([{ ...chunk({ content: "x" }), usage }])).last).toMatchObject({
      type: "error",
      usage: paid,
    });
    expect((await answerOf([chunk({ content: "x" })])).last).not.toHaveProperty("usage");
  });

  test.each([
    [{ error: { code: 429, message: "x" } }, "provider.rate-limited"],
    [{ error: { code: "insufficient_quota", message: "x" } }, "provider.refused"],
    [{ error: { type: "server_error", message: "x" } }, "provider.failed"],
    [{ error: "it fell over" }, "provider.failed"],
  ])("%j in a stream is an error", async (body, code) => {
    expect(codeOf(await answerOf([chunk({ content: "x" }), body]))).toBe(code);
  });
});

describe("errors of other servers", () => {
  const refuse = async (status: number, body: string): Promise<Answer> => {
    const { provider } = await openWire(createOpenAIProvider, [
      { status, headers: {}, chunks: [new TextEncoder().encode(body)] },
    ]);
    return collect(provider.stream(ask("Hello"), never));
  };

  test.each([
    [
      429,
      '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
      "provider.refused",
      "exceeded your current quota",
    ],
    [402, '{"error":{"message":"Insufficient Balance"}}', "provider.refused", "Insufficient Balance"],
    [
      400,
      '[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]',
      "provider.refused",
      "API key not valid",
    ],
    [
      422,
      '{"detail":[{"type":"extra_forbidden","msg":"Extra inputs are not permitted"}]}',
      "provider.refused",
      "Extra inputs",
    ],
    [404, '{"error":"model \\"nope\\" not found"}', "provider.refused", '404): model \\"nope\\" not found'],
    [
      400,
      '{"error":{"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
      "provider.context-overflow",
      "context",
    ],
    [400, '{"error":{"code":"content_policy_violation","message":"no"}}', "provider.refused", "no"],
    [500, "upstream fell over", "provider.failed", "upstream fell over"],
  ])("%i %s", async (status, body, code, words) => {
    const { last } = await refuse(status, body);
    expect(last).toMatchObject({ type: "error", error: { code } });
    expect(JSON.stringify(last)).toContain(words);
  });

  test("a 404 hints at the URL", async () => {
    expect((await refuse(404, "404 page not found")).last).toMatchObject({
      error: { hint: expect.stringContaining("ends in /v1") },
    });
  });
});
