import { describe, expect, test } from "bun:test";
import type { ActivationInput, ErrorBody, FirstAnswer, ToolCall } from "@hearth/protocol";
import { runFirstRounds } from "./first-rounds.ts";
import type { LoopRequest, ModelSteps } from "./model-steps.ts";
import type { Outcome } from "./outcome.ts";

const INPUT: ActivationInput = {
  agent: { name: "Main", handle: "main" },
  room: { name: "main", kind: "direct" },
  house: { name: "home" },
  parts: [{ name: "SOUL.md", text: "Be kind." }],
  history: [{ role: "user", text: "hi" }],
  tools: ["read", "list"],
  maxRounds: 2,
};
const ERROR: ErrorBody = { code: "provider.refused", message: "No." };

const reply = (text: string, toolCalls: ToolCall[] = []): FirstAnswer => ({
  message: { role: "assistant", text, toolCalls },
});
const call = (): ToolCall => ({ id: "1", name: "list", input: {} });

/** Runs with these answers of the model, in order. */
const run = async (
  given: readonly (FirstAnswer | { readonly error: ErrorBody } | Outcome)[],
  more: { readonly input?: Partial<ActivationInput>; readonly hasOverflowed?: boolean; readonly stopAt?: number } = {},
) => {
  const stopper = new AbortController();
  const requests: LoopRequest[] = [];
  let waits = 0;
  const models: ModelSteps = {
    hasOverflowed: () => more.hasOverflowed === true,
    async request(request) {
      const answer = given[requests.length];
      requests.push(request);
      if (requests.length === more.stopAt) stopper.abort();
      if (answer === undefined) throw new Error("the model has no further answer");
      return "kind" in answer ? answer : { kind: "answer", result: answer };
    },
  };
  const outcome = await runFirstRounds({
    input: { ...INPUT, ...more.input },
    signal: stopper.signal,
    leakScan: { redactError: (error) => ({ ...error, message: `clean: ${error.message}` }) },
    models,
    untilReady: async () => void (waits += 1),
    reply: async (text) => ({ kind: "reply", toolCalls: 0, text }),
  });
  return { outcome, requests, waits };
};

describe("the first rounds", () => {
  test("end with the reply of a model that calls no tool, after the activation's beginning is on disk", async () => {
    const { outcome, requests, waits } = await run([reply("hello")]);
    expect(outcome).toEqual({ kind: "reply", toolCalls: 0, text: "hello" });
    expect(requests).toMatchObject([{ step: 0, kept: 1, messages: [], tools: ["read", "list"], toolUse: "allowed" }]);
    expect(requests[0]?.system[0]?.text).toStartWith("Be kind.");
    expect(waits).toBe(1);
  });

  test("end before the first tool call, and return the answers so far", async () => {
    const intake: FirstAnswer = { intake: [{ role: "user", text: "and this" }] };
    const { outcome, requests } = await run([intake, reply("", [call()])]);
    expect(outcome).toEqual({ kind: "calls-tool", answers: [intake, reply("", [call()])] });
    expect(requests).toMatchObject([
      { step: 0, kept: 1, messages: [] },
      { step: 1, kept: 1, messages: [{ text: "and this" }] },
    ]);
  });

  test("fail when the only round asks for tools", async () => {
    const { outcome, requests } = await run([reply("", [call()])], { input: { maxRounds: 1 } });
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "activation.limit" } });
    expect(requests).toMatchObject([{ toolUse: "forbidden" }]);
  });

  test("fail with the model's error, from which `request` removed secrets", async () => {
    expect((await run([{ error: ERROR }])).outcome).toEqual({ kind: "failed", error: ERROR });
  });

  test("overflow when the session has to be shortened", async () => {
    expect((await run([{ error: ERROR }], { hasOverflowed: true })).outcome).toEqual({ kind: "overflow" });
  });

  test("end with an outcome of the policy", async () => {
    const waiting: Outcome = { kind: "waiting", step: 0, text: "Ask." };
    expect((await run([waiting])).outcome).toEqual(waiting);
  });

  test("are stopped during a request, whatever its answer", async () => {
    for (const answer of [reply("hello"), { error: ERROR }])
      expect((await run([answer], { stopAt: 1 })).outcome).toEqual({ kind: "stopped" });
  });

  test("continue after the steps of an earlier loop", async () => {
    const { requests, waits } = await run([reply("hello")], { input: { before: { steps: 3, rounds: 1 } } });
    expect(requests).toMatchObject([{ step: 3, toolUse: "forbidden" }]);
    expect(waits).toBe(2);
  });
});
