import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "@hearth/protocol";
import type { JournaledStep } from "../../kernel/journal/journal.ts";
import { createStepOrder } from "./step-order.ts";

const known = (...steps: readonly (readonly [number, JournaledStep["kind"], string])[]) =>
  new Map(steps.map(([step, kind, name]) => [step, { kind, name }]));
const said = (...names: readonly string[]): AssistantMessage => ({
  role: "assistant",
  text: "",
  toolCalls: names.map((name) => ({ id: name, name, input: {} })),
});
const PROTOCOL = expect.objectContaining({ code: "cell.protocol" });

describe("an inmate", () => {
  test("accepts requests in the order of the steps", () => {
    const order = createStepOrder({ maxRounds: 5 }, known());
    order.checkModelRequest(0);
    expect(() => order.checkModelRequest(2)).toThrow(PROTOCOL);
    expect(() => order.checkModelRequest(0)).toThrow(PROTOCOL);
    order.checkModelRequest(1);
  });

  test("starts after the steps of another loop version, with the rounds that are left", () => {
    const order = createStepOrder({ maxRounds: 3, before: { steps: 4, rounds: 2 } }, known());
    expect(() => order.checkModelRequest(0)).toThrow(PROTOCOL);
    order.checkModelRequest(4);
    expect(order.countRound()).toBe(3);
    expect(() => order.checkModelRequest(5)).toThrow(PROTOCOL);
  });

  test("allows `maxRounds` model requests, and an intake step costs no round", () => {
    const order = createStepOrder({ maxRounds: 1 }, known());
    order.checkModelRequest(0);
    order.checkModelRequest(1);
    order.countRound();
    expect(() => order.checkModelRequest(2)).toThrow(PROTOCOL);
  });

  test("allows as many tool calls as the model made", () => {
    const order = createStepOrder({ maxRounds: 5 }, known());
    expect(() => order.checkToolCall(0, "read")).toThrow(PROTOCOL);
    order.checkModelRequest(0);
    order.recordModelMessage(said("read", "list"));
    order.checkToolCall(1, "read");
    order.checkToolCall(2, "list");
    expect(() => order.checkToolCall(3, "list")).toThrow(PROTOCOL);
  });

  test.each([
    ["a call where the model was asked", () => known([1, "model", "main"])],
    ["a call where another call was made", () => known([1, "tool", "write"])],
  ])("does not ask after a restart for %s", (_what, before) => {
    const order = createStepOrder({ maxRounds: 5 }, before());
    order.checkModelRequest(0);
    order.recordModelMessage(said("read"));
    expect(() => order.checkToolCall(1, "read")).toThrow(PROTOCOL);
  });

  test("accepts a reply only when no call runs and no call from before a restart is left", () => {
    const order = createStepOrder({ maxRounds: 5 }, known([0, "model", "main"], [1, "tool", "read"]));
    order.checkModelRequest(0);
    order.recordModelMessage(said("read"));
    expect(() => order.checkReply("done", 0)).toThrow(PROTOCOL);
    order.checkToolCall(1, "read");
    expect(() => order.checkReply("done", 1)).toThrow(PROTOCOL);
    expect(() => order.checkReply("x".repeat(200_001), 0)).toThrow(PROTOCOL);
    order.checkReply("done", 0);
  });

  test("after a restart, a tool step stays a tool step, but an intake step may replace a model request", () => {
    expect(() => createStepOrder({ maxRounds: 5 }, known([0, "tool", "read"])).checkModelRequest(0)).toThrow(PROTOCOL);
    createStepOrder({ maxRounds: 5 }, known([0, "intake", "intake"])).checkModelRequest(0);
  });
});
