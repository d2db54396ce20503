/**
 * Tests which requests of programs, in both API shapes, are supported, which fields are ignored,
 * and which are refused.
 */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { readAnthropicRequest } from "./anthropic-request.ts";
import { readOpenAIRequest } from "./openai-request.ts";

const USER = { role: "user", content: "hi" };
const refusalOf = (read: (body: unknown) => unknown, body: unknown): string => {
  try {
    read(body);
    return "taken";
  } catch (error) {
    if (!isHearthError(error, "request.invalid")) throw error;
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  }
};
const PNG = "iVBORw0KGgo=";
const PICTURE = {
  kind: "image",
  type: "image/png",
  name: "picture",
  hash: "0".repeat(64),
  sizeBytes: Math.floor((PNG.length * 3) / 4),
  data: PNG,
} as const;

describe("a request to Anthropic's API", () => {
  const read = (more: object) => readAnthropicRequest({ messages: [USER], ...more }).request;
  const refuse = (more: object): string => refusalOf(readAnthropicRequest, { messages: [USER], ...more });
  const turns = (...messages: readonly object[]): object => ({ messages: [USER, ...messages] });
  const use = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "look", input: {}, ...more });
  const result = (id: string, more: object = {}) => ({ type: "tool_result", tool_use_id: id, ...more });

  test("is converted as far as providers support it", () => {
    const request = read({
      ...{
        max_tokens: 5,
        system: [
          { type: "text", text: "a", cache_control: { type: "ephemeral" } },
          { type: "text", text: "b" },
        ],
      },
      ...{ tools: [{ type: "custom", name: "look", input_schema: { type: "object" } }], tool_choice: { type: "none" } },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "one" },
            { type: "text", text: "two" },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "x" },
            { type: "text", text: "I " },
            { type: "text", text: "look." },
            use("c1"),
            use("c2", { input: { a: [1] } }),
          ],
        },
        {
          role: "user",
          content: [
            result("c2", { content: "no", is_error: true }),
            result("c1", {
              content: [
                { type: "text", text: "see" },
                { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
              ],
            }),
            { type: "text", text: "well?" },
          ],
        },
      ],
    });
    expect(request).toEqual({
      system: [
        { text: "a", stable: true },
        { text: "b", stable: true },
      ],
      messages: [
        { role: "user", text: "one" },
        { role: "user", text: "two" },
        {
          ...{ role: "assistant", text: "I look." },
          toolCalls: [
            { id: "c1", name: "look", input: {} },
            { id: "c2", name: "look", input: { a: [1] } },
          ],
        },
        { role: "tool", call: "c2", name: "look", text: "no", failed: true },
        { role: "tool", call: "c1", name: "look", text: "see", failed: false, parts: [PICTURE] },
        { role: "user", text: "well?" },
      ],
      tools: [{ name: "look", description: "", inputSchema: { type: "object" } }],
      ...{ toolUse: "forbidden", maxOutputTokens: 5 },
    });
    expect(readAnthropicRequest({ messages: [USER], stream: true }).streams).toBe(true);
  });

  test("may contain default values and fields that only affect cost or effort", () => {
    const more = {
      ...{ model: "x", temperature: 1, top_p: 1, stop_sequences: [], top_k: null, metadata: { user_id: "a" } },
      ...{ thinking: { type: "enabled", budget_tokens: 9 }, service_tier: "auto", output_config: { effort: "low" } },
      ...{ context_management: { edits: [] }, tool_choice: { type: "auto", disable_parallel_tool_use: false } },
    };
    expect(read(more)).toEqual(read({}));
  });

  test("is refused, naming the field, for an unsupported field that would change the answer", () => {
    const cannot = (what: string): string => `${what} cannot be passed on to the agent's model. Leave it out.`;
    expect(refuse({ temperature: 0.2 })).toBe(cannot("`temperature` 0.2"));
    expect(refuse({ stop_sequences: ["END"] })).toBe(cannot('`stop_sequences` ["END"]'));
    expect(refuse({ top_k: 5 })).toBe(cannot("`top_k` 5"));
    expect(refuse({ mcp_servers: [{ url: "x".repeat(100) }] })).toBe(cannot("`mcp_servers`"));
    expect(refuse({ constructor: 1 })).toBe(cannot("`constructor` 1"));
    expect(refuse({ tool_choice: { type: "any" } })).toBe(
      "`tool_choice.type` is invalid: only auto and none can be passed on.",
    );
    expect(refuse({ tools: [{ type: "web_search_20250305", name: "web_search" }] })).toContain(
      "only tools of the program's own",
    );
    expect(refuse({ output_config: { effort: "low", format: { type: "json_schema" } } })).toContain("output_config");
    expect(
      refuse(turns({ role: "user", content: [{ type: "image", source: { type: "url", url: "http://a.b/" } }] })),
    ).toBe("`messages.1.content.0.type` is invalid: only text, tool_result can be passed on to the agent's model.");
    expect(refuse(turns({ role: "system", content: "x" }))).toContain("only user, assistant");
    for (const source of [
      { type: "url", url: "http://a.b/" },
      { type: "base64", media_type: "image/tiff", data: PNG },
      { type: "base64", media_type: "image/png", data: "not base64" },
    ]) {
      const picture = { type: "image", source };
      const said = [
        { role: "assistant", content: [use("c1")] },
        { role: "user", content: [result("c1", { content: [picture] })] },
      ];
      expect(refuse(turns(...said))).toContain("is invalid");
    }
    const twice = [1, 2].map(() => ({ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } }));
    expect(
      refuse(
        turns(
          { role: "assistant", content: [use("c1")] },
          { role: "user", content: [result("c1", { content: twice })] },
        ),
      ),
    ).toContain("more than one picture");
    expect(refuse({ max_tokens: 0 })).toContain("`max_tokens` is invalid");
    expect(refuse({ messages: [] })).toBe("The request has no messages.");
  });

  test("is refused when calls and results do not match", () => {
    expect(refuse(turns({ role: "assistant", content: [use("c1")] }, USER))).toBe(
      "The call c1 is not followed by its result.",
    );
    expect(refuse(turns({ role: "assistant", content: [use("c1")] }))).toBe(
      "The call c1 is not followed by its result.",
    );
    expect(refuse(turns({ role: "user", content: [result("c1")] }))).toContain(
      "The result for c1 matches no open call",
    );
    expect(
      refuse(
        turns({ role: "assistant", content: [use("c1")] }, { role: "user", content: [result("c1"), result("c1")] }),
      ),
    ).toContain("no open call");
    expect(refuse(turns({ role: "assistant", content: [use("c1"), use("c1")] }))).toContain("Two calls of one message");
    expect(refuse(turns({ role: "assistant", content: "I begin" }))).toContain("The last message is the assistant's.");
  });
});

describe("a request for OpenAI's chat completions", () => {
  const read = (more: object) => readOpenAIRequest({ messages: [USER], ...more });
  const refuse = (more: object): string => refusalOf(readOpenAIRequest, { messages: [USER], ...more });
  const call = (id: string, written = "{}") => ({
    id,
    type: "function",
    function: { name: "look", arguments: written },
  });

  test("is converted as far as providers support it", () => {
    const { request, streams, wantsUsage } = read({
      ...{ stream: true, stream_options: { include_usage: true }, max_completion_tokens: 7, max_tokens: 5 },
      ...{ tools: [{ type: "function", function: { name: "look", strict: true } }], tool_choice: "none" },
      messages: [
        { role: "system", content: "a" },
        {
          role: "developer",
          content: [
            { type: "text", text: "b" },
            { type: "text", text: "c" },
          ],
        },
        { role: "user", content: [{ type: "text", text: "one" }] },
        {
          role: "assistant",
          content: null,
          tool_calls: [call("c1", '{"a":[1]}'), call("c2", "not JSON"), call("c3", "")],
        },
        ...["c3", "c1", "c2"].map((id) => ({ role: "tool", tool_call_id: id, content: id })),
        { role: "assistant", refusal: "No.", content: null, function_call: null },
        USER,
      ],
    });
    expect([streams, wantsUsage]).toEqual([true, true]);
    expect(request).toEqual({
      system: [
        { text: "a", stable: true },
        { text: "b\nc", stable: true },
      ],
      messages: [
        { role: "user", text: "one" },
        {
          ...{ role: "assistant", text: "" },
          toolCalls: [
            { id: "c1", name: "look", input: { a: [1] } },
            { id: "c2", name: "look", input: {}, unreadable: "not JSON" },
            { id: "c3", name: "look", input: {} },
          ],
        },
        ...["c3", "c1", "c2"].map((id) => ({ role: "tool" as const, call: id, name: "look", text: id, failed: false })),
        { role: "assistant", text: "No.", toolCalls: [] },
        { role: "user", text: "hi" },
      ],
      tools: [{ name: "look", description: "", inputSchema: {} }],
      ...{ toolUse: "forbidden", maxOutputTokens: 7 },
    });
  });

  test("may contain default values and fields that only affect cost or effort", () => {
    const more = {
      ...{ model: "x", temperature: 1, top_p: 1, n: 1, stop: null, presence_penalty: 0, frequency_penalty: 0 },
      ...{ logit_bias: {}, logprobs: false, parallel_tool_calls: true, response_format: { type: "text" } },
      ...{ reasoning_effort: "high", verbosity: "low", seed: 7, user: "a", store: false, tool_choice: "auto" },
    };
    expect(read(more)).toEqual(read({}));
    expect(read({}).request.maxOutputTokens).toBe(8192);
  });

  test("is refused, naming the field, for an unsupported field that would change the answer", () => {
    for (const [name, value] of Object.entries({
      ...{ temperature: 0, n: 2, stop: "END", logprobs: true, parallel_tool_calls: false },
      ...{ response_format: { type: "json_object" }, functions: [], web_search_options: {} },
    }))
      expect(refuse({ [name]: value })).toBe(
        `\`${name}\` ${JSON.stringify(value)} cannot be passed on to the agent's model. Leave it out.`,
      );
    expect(refuse({ tool_choice: "required" })).toContain("only auto and none");
    expect(refuse({ tool_choice: { type: "function", function: { name: "look" } } })).toContain("only auto and none");
    expect(refuse({ tools: [{ type: "custom", custom: { name: "x" } }] })).toContain("only function");
    const parts = [{ type: "image_url", image_url: { url: "http://a.b/" } }];
    expect(refuse({ messages: [{ role: "user", content: parts }] })).toContain("only text can be passed on");
    expect(refuse({ messages: [{ role: "function", name: "look", content: "x" }] })).toContain(
      "only system, developer, user",
    );
    expect(refuse({ messages: [USER, { role: "system", content: "x" }] })).toBe(
      "A system message is not at the start. Put it before all other messages.",
    );
    expect(refuse({ messages: [USER, { role: "assistant", function_call: { name: "look" } }, USER] })).toContain(
      "function_call",
    );
    expect(refuse({ messages: [{ role: "system", content: "x" }] })).toBe("The request has no messages.");
    expect(refuse({ messages: "x" })).toContain("`messages` is invalid");
    expect(refusalOf(readOpenAIRequest, [])).toContain("The body is invalid");
  });
});
