import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "@hearth/protocol";
import type { KnownStep } from "../../kernel/journal/journal.ts";
import { createStepOrder } from "./step-order.ts";

const known = (...steps: readonly (readonly [number, KnownStep["kind"], string])[]) =>
  new Map(steps.map(([step, kind, name]) => [step, { kind, name }]));
const said = (...names: readonly string[]): AssistantMessage => ({
  role: "assistant",
  text: "",
  toolCalls: names.map((name) => ({ id: name, name, input: {} })),
});
const PROTOCOL = expect.objectContaining({ code: "cell.protocol" });

describe("an inmate", () => {
  test("asks step after step", () => {
    const order = createStepOrder({ maxRounds: 5 }, known());
    order.asksModel(0);
    expect(() => order.asksModel(2)).toThrow(PROTOCOL);
    expect(() => order.asksModel(0)).toThrow(PROTOCOL);
    order.asksModel(1);
  });

  test("begins after the steps that another loop made, with the rounds that are left", () => {
    const order = createStepOrder({ maxRounds: 3, before: { steps: 4, rounds: 2 } }, known());
    expect(() => order.asksModel(0)).toThrow(PROTOCOL);
    order.asksModel(4);
    expect(order.round()).toBe(3);
    expect(() => order.asksModel(5)).toThrow(PROTOCOL);
  });

  test("asks the model as often as it was given, and what people said in between costs nothing", () => {
    const order = createStepOrder({ maxRounds: 1 }, known());
    order.asksModel(0);
    order.asksModel(1);
    order.round();
    expect(() => order.asksModel(2)).toThrow(PROTOCOL);
  });

  test("asks for as many calls as the model made", () => {
    const order = createStepOrder({ maxRounds: 5 }, known());
    expect(() => order.asksCall(0, "read")).toThrow(PROTOCOL);
    order.asksModel(0);
    order.toldModel(said("read", "list"));
    order.asksCall(1, "read");
    order.asksCall(2, "list");
    expect(() => order.asksCall(3, "list")).toThrow(PROTOCOL);
  });

  test.each([
    ["a call where the model was asked", () => known([1, "model", "main"])],
    ["a call where another call was made", () => known([1, "tool", "write"])],
  ])("does not ask after a restart for %s", (_what, before) => {
    const order = createStepOrder({ maxRounds: 5 }, before());
    order.asksModel(0);
    order.toldModel(said("read"));
    expect(() => order.asksCall(1, "read")).toThrow(PROTOCOL);
  });

  test("replies when nothing runs, and nothing is left of what was begun before a restart", () => {
    const order = createStepOrder({ maxRounds: 5 }, known([0, "model", "main"], [1, "tool", "read"]));
    order.asksModel(0);
    order.toldModel(said("read"));
    expect(() => order.replies("done", 0)).toThrow(PROTOCOL);
    order.asksCall(1, "read");
    expect(() => order.replies("done", 1)).toThrow(PROTOCOL);
    expect(() => order.replies("x".repeat(200_001), 0)).toThrow(PROTOCOL);
    order.replies("done", 0);
  });

  test("does not ask the model after a restart where a call was made, but where people said something", () => {
    expect(() => createStepOrder({ maxRounds: 5 }, known([0, "tool", "read"])).asksModel(0)).toThrow(PROTOCOL);
    createStepOrder({ maxRounds: 5 }, known([0, "intake", "intake"])).asksModel(0);
  });
});
