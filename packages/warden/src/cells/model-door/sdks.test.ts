/**
 * Tests the vendors' own clients against the door: their requests are accepted, and they read the
 * model's answer.
 */
import { describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { Usage } from "@hearth/protocol";
import { createTestDoor } from "../../fixtures/model-door.ts";
import type { Script } from "../../models/scripted/scripted.ts";

const USAGE: Usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2 };
const CALL = { id: "call_1", name: "weather", input: { city: "Zürich", days: [1, 2] } };
const SCHEMA = { type: "object", properties: { city: { type: "string" } } } as const;
const said = { text: "It is warm there.", usage: USAGE };
const called = { text: "Let me look.", toolCalls: [CALL], usage: USAGE };
const failed = { error: { code: "provider.refused", message: "No.", hint: "Ask differently." } } as const;

describe("Anthropic's client", () => {
  const open = (script: Script) => {
    const door = createTestDoor({ script });
    const client = new Anthropic({
      ...{ apiKey: "no-key-needed", baseURL: "http://model.hearth", fetch: door.fetch as typeof fetch },
      ...{ maxRetries: 0, openTelemetry: false },
    });
    return { ...door, client };
  };
  const asked = { model: "whatever-1", max_tokens: 100, messages: [{ role: "user", content: "How is it?" }] } as const;
  const tools = [{ name: "weather", description: "Says it.", input_schema: SCHEMA }];

  test("gets a whole answer from the agent's model", async () => {
    const { client, model, resolved } = open([said]);
    const answer = await client.messages.create({ ...asked, messages: [...asked.messages], system: "Be short." });
    expect(answer).toMatchObject({
      ...{ type: "message", role: "assistant", model: "fake/large", stop_reason: "end_turn", stop_sequence: null },
      content: [{ type: "text", text: "It is warm there." }],
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
    });
    expect(answer.id).toMatch(/^msg_[0-9a-f]{24}$/);
    expect(resolved).toEqual([["fake/large", "fake/small"]]);
    expect(model.requests).toEqual([
      {
        model: "large",
        system: [{ text: "Be short.", stable: true }],
        messages: [{ role: "user", text: "How is it?" }],
        ...{ tools: [], toolUse: "allowed", maxOutputTokens: 100 },
      },
    ]);
  });

  test("streams text, then a call, and sends its result", async () => {
    const { client, model } = open([called, said]);
    const stream = client.messages.stream({ ...asked, messages: [...asked.messages], tools });
    const pieces: string[] = [];
    stream.on("text", (piece) => pieces.push(piece));
    const first = await stream.finalMessage();
    expect(pieces).toEqual(["Let ", "me ", "look."]);
    expect(first).toMatchObject({
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_1", name: "weather", input: CALL.input },
      ],
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3 },
    });
    const second = await client.messages
      .stream({
        ...{ ...asked, tools },
        messages: [
          ...asked.messages,
          { role: "assistant", content: first.content },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "call_1",
                content: [{ type: "text", text: "warm" }],
                is_error: false,
              },
              { type: "text", text: "Go on." },
            ],
          },
        ],
      })
      .finalText();
    expect(second).toBe("It is warm there.");
    expect(model.requests[0]?.tools).toEqual([{ name: "weather", description: "Says it.", inputSchema: SCHEMA }]);
    expect(model.requests[1]?.messages).toEqual([
      { role: "user", text: "How is it?" },
      { role: "assistant", text: "Let me look.", toolCalls: [CALL] },
      { role: "tool", call: "call_1", name: "weather", text: "warm", failed: false },
      { role: "user", text: "Go on." },
    ]);
  });

  test("streams an answer that contains only calls", async () => {
    const { client } = open([{ toolCalls: [CALL, { ...CALL, id: "call_2", input: {} }] }]);
    const { content } = await client.messages.stream({ ...asked, messages: [...asked.messages], tools }).finalMessage();
    expect(content.map((block) => (block.type === "tool_use" ? [block.id, block.input] : block.type))).toEqual([
      ["call_1", CALL.input],
      ["call_2", {}],
    ]);
  });

  test("throws its own errors with the house's messages, before and during a stream", async () => {
    const { client } = open([failed, failed, { ...failed, text: "I think " }]);
    const create = (stream: boolean) => client.messages.create({ ...asked, messages: [...asked.messages], stream });
    for (const stream of [false, true]) {
      const error = await create(stream).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(String(error)).toContain("No. Ask differently.");
    }
    const broken = client.messages.stream({ ...asked, messages: [...asked.messages] });
    const pieces: string[] = [];
    broken.on("text", (piece) => pieces.push(piece));
    const error = await broken.finalMessage().catch((thrown: unknown) => thrown);
    expect(pieces.join("")).toBe("I think ");
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(String(error)).toContain("No. Ask differently.");
  });

  test("lists the one available model", async () => {
    const { client } = open([]);
    const { data } = await client.models.list();
    expect(data).toMatchObject([{ id: "fake/large", type: "model", display_name: "fake/large" }]);
  });
});

describe("OpenAI's client", () => {
  const open = (script: Script) => {
    const door = createTestDoor({ script });
    const client = new OpenAI({
      ...{
        apiKey: "no-key-needed",
        baseURL: "http://model.hearth/v1",
        fetch: door.fetch as typeof fetch,
        maxRetries: 0,
      },
    });
    return { ...door, client };
  };
  const asked = {
    model: "whatever-1",
    messages: [
      { role: "system", content: "Be short." },
      { role: "user", content: "How is it?" },
    ],
  } as const;
  const tools = [
    { type: "function" as const, function: { name: "weather", description: "Says it.", parameters: SCHEMA } },
  ];

  test("gets a whole answer from the agent's model", async () => {
    const { client, model } = open([said]);
    const answer = await client.chat.completions.create({ ...asked, messages: [...asked.messages], max_tokens: 100 });
    expect(answer).toMatchObject({
      ...{ object: "chat.completion", model: "fake/large" },
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "It is warm there." } }],
      usage: {
        ...{ prompt_tokens: 15, completion_tokens: 5, total_tokens: 20 },
        prompt_tokens_details: { cached_tokens: 3 },
      },
    });
    expect(model.requests).toEqual([
      {
        model: "large",
        system: [{ text: "Be short.", stable: true }],
        messages: [{ role: "user", text: "How is it?" }],
        ...{ tools: [], toolUse: "allowed", maxOutputTokens: 100 },
      },
    ]);
  });

  test("streams text, then a call, and sends its result", async () => {
    const { client, model } = open([called, said]);
    const stream = client.chat.completions.stream({
      ...{ ...asked, messages: [...asked.messages], tools },
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    stream.on("content", (piece) => pieces.push(piece));
    const first = await stream.finalChatCompletion();
    expect(pieces.join("|")).toBe("Let |me |look.");
    expect(first.usage).toMatchObject({ prompt_tokens: 15, completion_tokens: 5 });
    const message = first.choices[0]?.message;
    expect(first.choices[0]?.finish_reason).toBe("tool_calls");
    expect(message?.tool_calls).toMatchObject([
      { id: "call_1", type: "function", function: { name: "weather", arguments: JSON.stringify(CALL.input) } },
    ]);
    if (message === undefined) throw new Error("there was no message");
    const second = await client.chat.completions.create({
      ...{ ...asked, tools },
      messages: [...asked.messages, message, { role: "tool", tool_call_id: "call_1", content: "warm" }],
    });
    expect(second.choices[0]?.message.content).toBe("It is warm there.");
    expect(model.requests[1]?.messages).toEqual([
      { role: "user", text: "How is it?" },
      { role: "assistant", text: "Let me look.", toolCalls: [CALL] },
      { role: "tool", call: "call_1", name: "weather", text: "warm", failed: false },
    ]);
  });

  test("gets the usage of a stream only on request", async () => {
    const { client } = open([said]);
    const chunks = await client.chat.completions.create({ ...asked, messages: [...asked.messages], stream: true });
    let text = "";
    for await (const chunk of chunks) {
      text += chunk.choices[0]?.delta.content ?? "";
      expect([chunk.choices.length, chunk.usage ?? undefined]).toEqual([1, undefined]);
    }
    expect(text).toBe("It is warm there.");
  });

  test("throws its own errors with the house's messages, before and during a stream", async () => {
    const { client } = open([failed, failed, { ...failed, text: "I think " }]);
    const create = (stream: boolean) =>
      client.chat.completions.create({ ...asked, messages: [...asked.messages], stream });
    for (const stream of [false, true]) {
      const error = await create(stream).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({
        code: "provider.refused",
        message: expect.stringContaining("No. Ask differently."),
      });
    }
    const chunks = await client.chat.completions.create({ ...asked, messages: [...asked.messages], stream: true });
    let text = "";
    const error = await (async () => {
      for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? "";
    })().catch((thrown: unknown) => thrown);
    expect(text).toBe("I think ");
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(String(error)).toContain("No. Ask differently.");
  });

  test("lists the one available model", async () => {
    const { client } = open([]);
    const { data } = await client.models.list();
    expect(data).toMatchObject([{ id: "fake/large", object: "model", owned_by: "hearth" }]);
  });
});
