/**
 * Tests one model call of an activation: its bounds, its cost, and the retry with a shorter
 * request.
 */
import { MAX_MESSAGE_LENGTH, type ModelMessage, type ModelRequest, noUsage, type Usage } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import type { Provider } from "../../models/provider.ts";
import { createScriptedProvider, type ScriptedReply } from "../../models/scripted/scripted.ts";
import { callModel } from "./model-call.ts";

const cost = (inputTokens: number): Usage => ({ ...noUsage, inputTokens });
const old: ModelMessage = { role: "user", text: "old" };
const question: ModelMessage = { role: "user", text: "question" };
const request: ModelRequest = {
  model: "m",
  system: [],
  messages: [old, question],
  tools: [],
  toolUse: "allowed",
  maxOutputTokens: 100,
};

const call = async (
  replies: readonly ScriptedReply[],
  shrink: (messages: ModelRequest["messages"]) => ModelRequest["messages"] | undefined = () => undefined,
  wrap: (provider: Provider) => Provider = (provider) => provider,
) => {
  const scripted = createScriptedProvider(replies);
  let shown = "";
  const outcome = await callModel({
    provider: wrap(scripted),
    request,
    signal: new AbortController().signal,
    onText: (text) => {
      shown += text;
    },
    shrink,
  });
  return { outcome, shown, requests: scripted.requests };
};

describe("a call of a model", () => {
  test("reports the model that answered when there was a choice, and none otherwise", async () => {
    const chosen = await call([{ text: "Here." }], undefined, (provider) => ({
      ...provider,
      async *stream(asked, signal) {
        for await (const event of provider.stream(asked, signal))
          yield event.type === "end" ? { ...event, model: "other/model" } : event;
      },
    }));
    expect(chosen.outcome).toMatchObject({ kind: "message", model: "other/model" });
    expect((await call([{ text: "Here." }])).outcome).not.toHaveProperty("model");
  });

  test.each<readonly [string, ScriptedReply]>([
    ["a failure", { error: { code: "provider.failed", message: "No." }, usage: cost(7) }],
    ["a refusal without words", { stopReason: "refusal", usage: cost(7) }],
    ["an answer cut before its first word", { stopReason: "length", usage: cost(7) }],
  ])("costs what was reported, also with %s", async (_what, reply) => {
    expect((await call([reply])).outcome).toMatchObject({ kind: "error", usage: cost(7) });
  });

  const sized = (name: string, sizeBytes: number) => ({
    ...{ id: `${name} ${sizeBytes}`, name },
    input: { x: "a".repeat(sizeBytes - '{"x":""}'.length) },
  });
  test.each([
    ["shell", 256 * 1024, 1, 0],
    ["shell", 256 * 1024 + 1, 1, 1],
    ["write", 1024 * 1024, 1, 0],
    ["write", 1024 * 1024 + 1, 1, 1],
    ["write", 1024 * 1024, 5, 1],
  ])("with arguments for %p of %p bytes in %p calls empties %p of them", async (name, sizeBytes, count, emptied) => {
    const { outcome } = await call([{ toolCalls: Array.from({ length: count }, () => sized(name, sizeBytes)) }]);
    const calls = outcome.kind === "message" ? outcome.message.toolCalls : [];
    const empty = calls.filter(({ oversizedBytes }) => oversizedBytes === sizeBytes);
    expect(empty.map(({ input }) => input)).toEqual(Array.from({ length: emptied }, () => ({})));
    expect(calls.filter(({ oversizedBytes }) => oversizedBytes === undefined)).toHaveLength(count - emptied);
  });

  test("costs nothing when no usage was reported", async () => {
    const { outcome } = await call([{ error: { code: "provider.failed", message: "No." } }]);
    expect(outcome).toMatchObject({ kind: "error", usage: noUsage });
  });

  test("is cut off when the answer does not end", async () => {
    const words = Array.from({ length: 20 }, () => "x".repeat(MAX_MESSAGE_LENGTH / 10)).join(" ");
    const { outcome, shown } = await call([{ text: words }]);
    if (outcome.kind !== "error") throw new Error("the call succeeded");
    expect(outcome.error.code).toBe("provider.failed");
    expect(outcome.error.message).toContain("exceeded");
    expect(shown.length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  });

  const overflow: ScriptedReply = {
    error: { code: "provider.context-overflow", message: "Too long." },
    usage: cost(5),
  };

  test("retries a request that was too long once with a shorter one, and both are paid for", async () => {
    const { outcome, requests } = await call([overflow, { text: "Here.", usage: cost(2) }], () => [question]);
    expect(outcome).toMatchObject({ kind: "message", message: { text: "Here." }, usage: cost(7) });
    expect(requests.map(({ messages }) => messages)).toEqual([[old, question], [question]]);
  });

  test("ends when the shorter request is also too long", async () => {
    const { outcome, requests } = await call([overflow, overflow, { text: "Never." }], () => [question]);
    expect(outcome).toMatchObject({ kind: "error", error: { code: "provider.context-overflow" }, usage: cost(10) });
    expect(requests).toHaveLength(2);
  });

  test("ends at once when the request cannot be shortened", async () => {
    const { outcome, requests } = await call([overflow, { text: "Never." }]);
    expect(outcome).toMatchObject({ kind: "error", error: { code: "provider.context-overflow" } });
    expect(requests).toHaveLength(1);
  });
});
