import { expect, test } from "bun:test";
import type { ActivationInput, AssistantMessage, ToolCall } from "../index.ts";
import { afterModel, afterTool, decide, startLoop } from "./loop.ts";

const input: ActivationInput = {
  agent: { name: "Main", handle: "main" },
  room: { name: "main", kind: "direct" },
  house: { name: "home" },
  parts: [{ name: "SOUL.md", text: "Be kind." }],
  history: [{ role: "user", text: "hi", note: "Ana, now" }],
  tools: ["read", "list"],
  maxRounds: 3,
};
const says = (text: string, toolCalls: ToolCall[] = []): AssistantMessage => ({ role: "assistant", text, toolCalls });
const call = (id: string): ToolCall => ({ id, name: "list", input: {} });

test("a fresh loop asks the model with the history and the tools", () => {
  expect(decide(startLoop(input))).toMatchObject({
    kind: "model",
    step: 0,
    messages: input.history,
    tools: ["read", "list"],
    toolUse: "allowed",
  });
});

test("a message without calls is the reply", () => {
  expect(decide(afterModel(startLoop(input), says("hello")))).toEqual({ kind: "reply", text: "hello" });
});

test("calls run one after the other, each as its own step, and are answered in order", () => {
  let state = afterModel(startLoop(input), says("", [call("a"), call("b")]));
  expect(decide(state)).toEqual({ kind: "tool", step: 1, call: call("a") });
  state = afterTool(state, { text: "one", failed: false });
  expect(decide(state)).toEqual({ kind: "tool", step: 2, call: call("b") });
  state = afterTool(state, { text: "two", failed: true });
  expect(decide(state)).toMatchObject({ kind: "model", step: 3 });
  expect(state.messages.slice(1)).toEqual([
    says("", [call("a"), call("b")]),
    { role: "tool", call: "a", name: "list", text: "one", failed: false },
    { role: "tool", call: "b", name: "list", text: "two", failed: true },
  ]);
});

test("vendor data is sent back with the tool results", () => {
  const message = { ...says("", [call("a")]), vendor: { wire: "anthropic api.anthropic.com", data: "[]" } };
  const next = decide(afterTool(afterModel(startLoop(input), message), { text: "one", failed: false }));
  expect(next.kind === "model" && next.messages[1]).toEqual(message);
});

test("the last round forbids tools and ends the loop, even if the model calls one", () => {
  let state = startLoop(input);
  for (const id of ["a", "b"]) {
    expect(decide(state)).toMatchObject({ toolUse: "allowed" });
    state = afterTool(afterModel(state, says("", [call(id)])), { text: "x", failed: false });
  }
  expect(decide(state)).toMatchObject({ kind: "model", toolUse: "forbidden" });
  state = afterModel(state, says("enough", [call("c")]));
  expect(decide(state)).toEqual({ kind: "reply", text: "enough" });
  expect(state.messages.at(-1)).toEqual(says("enough"));
});

test("a last round with only tool calls is `exhausted`, not an empty reply", () => {
  let state = startLoop({ ...input, maxRounds: 1 });
  state = afterModel(state, says("", [call("a")]));
  expect(decide(state)).toEqual({ kind: "exhausted", rounds: 1 });
});

test("an empty last message is an empty reply, not another round", () => {
  expect(decide(afterModel(startLoop(input), says("")))).toEqual({ kind: "reply", text: "" });
});

test("the stable prompt does not depend on the history", () => {
  const other = startLoop({ ...input, history: [{ role: "user", text: "something else" }] });
  expect(other.system).toEqual(startLoop(input).system);
  expect(other.system[0]?.text).toStartWith("Be kind.");
});

test("a hidden tool is offered once `find_tools` has listed it, and from then on", () => {
  let state = startLoop({
    ...input,
    tools: ["read", "git", "image", "find_tools"],
    hidden: ["git", "image"],
    maxRounds: 9,
  });
  expect(decide(state)).toMatchObject({ tools: ["read", "find_tools"] });
  const look = { id: "a", name: "find_tools", input: { query: "commit" } };
  state = afterTool(afterModel(state, says("", [look])), {
    text: "You can call from here on:\n- git: Run git.",
    failed: false,
  });
  expect(decide(state)).toMatchObject({ tools: ["read", "git", "find_tools"] });
  state = afterTool(afterModel(state, says("", [call("b")])), { text: "- image: not from there", failed: false });
  expect(decide(state)).toMatchObject({ tools: ["read", "git", "find_tools"] });
});
