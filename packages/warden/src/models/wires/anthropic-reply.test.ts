/** Features of Anthropic's stream alone: blocks that open and close, and usage in two places. */
import { MAX_VENDOR_DATA } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import { createAnthropicProvider } from "./anthropic.ts";
import { codeOf } from "../provider.conformance.ts";
import { answerOf, bytes } from "./wire-harness.conformance.ts";

const start = {
  type: "message_start",
  message: { usage: { input_tokens: 25, cache_read_input_tokens: 7, output_tokens: 1 } },
};
const open = (index: number, block: object) => ({ type: "content_block_start", index, content_block: block });
const text = (index: number, piece: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text: piece },
});
const close = (index: number) => ({ type: "content_block_stop", index });
const stop = (reason: string | null, usage: object = {}) => ({
  type: "message_delta",
  delta: { stop_reason: reason },
  usage,
});
const end = { type: "message_stop" };
const block = { type: "text", text: "" };

const hear = (events: readonly object[]) =>
  answerOf(createAnthropicProvider, {
    chunks: [bytes(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))],
  });

describe("Anthropic's stream", () => {
  test.each([
    ["a stop without a reason", [start, end]],
    ["a stop whose reason is null", [start, stop(null), end]],
    ["a stop in the middle of a block", [start, open(0, block), text(0, "x"), stop("end_turn"), end]],
    ["a delta of a block that did not begin", [start, text(0, "x"), stop("end_turn"), end]],
    ["a delta of a block that has ended", [start, open(0, block), close(0), text(0, "x"), stop("end_turn"), end]],
    ["an end of a block that did not begin", [start, close(0), stop("end_turn"), end]],
  ])("%s is an error", async (_what, events) => {
    expect(codeOf(await hear(events))).toBe("provider.malformed");
  });

  test("an answer that breaks off reports its length, with thoughts and calls, and the usage until then", async () => {
    const thought = { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "four" } };
    const input = { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "{1234" } };
    const { last } = await hear([
      ...[start, open(0, { type: "thinking" }), thought, close(0), open(1, block), text(1, "Grüße"), close(1)],
      ...[open(2, { type: "tool_use", id: "t", name: "read" }), input],
    ]);
    expect(last).toMatchObject({ type: "error", usage: { inputTokens: 25, outputTokens: 1 }, saidBytes: 4 + 7 + 5 });
  });

  test("a later count replaces an earlier one, and null does not", async () => {
    const { last } = await hear([
      start,
      stop("end_turn", { output_tokens: 9, input_tokens: null, cache_creation_input_tokens: 3 }),
      end,
    ]);
    expect(last).toMatchObject({
      usage: { inputTokens: 25, outputTokens: 9, cacheReadTokens: 7, cacheWriteTokens: 3 },
    });
  });

  test.each([
    ["end_turn", "end"],
    ["stop_sequence", "end"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
    ["something_new", "end"],
  ])("%s is %s", async (reason, expected) => {
    expect(codeOf(await hear([start, stop(reason), end]))).toBe(expected);
  });

  test("the reported usage is passed on also without an answer", async () => {
    const paid = { inputTokens: 25, outputTokens: 1, cacheReadTokens: 7, cacheWriteTokens: 0 };
    expect((await hear([start, open(0, block), text(0, "half")])).last).toMatchObject({ type: "error", usage: paid });
    const more = stop(null, { output_tokens: 9 });
    const failed = { type: "error", error: { type: "overloaded_error", message: "No." } };
    expect((await hear([start, more, failed])).last).toMatchObject({
      error: { code: "provider.overloaded" },
      usage: { ...paid, outputTokens: 9 },
    });
    expect((await hear([failed])).last).not.toHaveProperty("usage");
  });

  test("text in the start event of a block is kept", async () => {
    expect(
      (await hear([start, open(0, { type: "text", text: "a" }), text(0, "b"), close(0), stop("end_turn"), end])).deltas,
    ).toEqual(["a", "b"]);
  });

  const thought = { type: "thinking", thinking: "", signature: "" };
  const think = (index: number, piece: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "thinking_delta", thinking: piece },
  });

  test("an answer that ends inside a thought is an error", async () => {
    expect(codeOf(await hear([start, open(0, thought), think(0, "x"), stop("end_turn"), end]))).toBe(
      "provider.malformed",
    );
  });

  test("thoughts without a call are not stored", async () => {
    const { last } = await hear([start, open(0, thought), think(0, "x"), close(0), stop("end_turn"), end]);
    expect(last).toMatchObject({ type: "end" });
    expect(last).not.toHaveProperty("message.vendor");
  });

  test("thoughts are stored whole up to a length limit, and not at all beyond it", async () => {
    const call = [open(1, { type: "tool_use", id: "a", name: "read" }), close(1), stop("tool_use"), end];
    const hearLong = (length: number) =>
      hear([start, open(0, thought), think(0, "x".repeat(length)), close(0), ...call]);
    const around = JSON.stringify([{ afterText: 0, afterCalls: 0, thought }]).length;
    const longest = await hearLong(MAX_VENDOR_DATA - around);
    expect(longest.last).toMatchObject({ message: { vendor: { data: expect.stringContaining("xxx") } } });
    const longer = await hearLong(MAX_VENDOR_DATA - around + 1);
    expect(longer.last).toMatchObject({ message: { toolCalls: [{ id: "a" }] } });
    expect(longer.last).not.toHaveProperty("message.vendor");
  });

  test("unknown blocks and events are ignored", async () => {
    const events = [
      start,
      { type: "ping" },
      { type: "brand_new" },
      open(0, { type: "server_tool_use", id: "s", name: "web" }),
      close(0),
    ];
    expect((await hear([...events, stop("end_turn"), end])).last).toMatchObject({
      type: "end",
      message: { text: "", toolCalls: [] },
    });
  });

  test.each([
    ["overloaded_error", "provider.overloaded"],
    ["rate_limit_error", "provider.rate-limited"],
    ["api_error", "provider.failed"],
    ["timeout_error", "provider.timeout"],
    ["authentication_error", "provider.auth"],
    ["permission_error", "provider.auth"],
    ["billing_error", "provider.refused"],
    ["not_found_error", "provider.refused"],
    ["invalid_request_error", "provider.refused"],
  ])("an error event of type %s is %s", async (type, code) => {
    expect(codeOf(await hear([start, { type: "error", error: { type, message: "x" } }]))).toBe(code);
  });
});
