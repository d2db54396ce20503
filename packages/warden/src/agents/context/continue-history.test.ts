import { expect, test } from "bun:test";
import type { ActivationInput } from "@hearth/protocol";
import { continueFrom, type HistoryStep } from "./continue-history.ts";

const input: ActivationInput = {
  agent: { name: "Main", handle: "main" },
  room: { name: "main", kind: "direct" },
  house: { name: "home" },
  parts: [],
  history: [{ role: "user", text: "hi" }],
  tools: ["read"],
  maxRounds: 5,
};
const asks = (...ids: string[]) =>
  ({
    kind: "model",
    message: { role: "assistant", text: "", toolCalls: ids.map((id) => ({ id, name: "read", input: {} })) },
  }) as const;

test("without steps the input is unchanged", () => {
  expect(continueFrom(input, [])).toBe(input);
});

test("steps become history in order, and the loop begins after them", () => {
  const told = continueFrom(input, [
    asks("a", "b"),
    { kind: "tool", text: "one", failed: false },
    { kind: "tool", text: "two", failed: true },
    { kind: "intake", messages: [{ role: "user", text: "and this" }] },
  ]);
  expect(told.before).toEqual({ steps: 4, rounds: 1 });
  expect(told.history.slice(1)).toEqual([
    asks("a", "b").message,
    { role: "tool", call: "a", name: "read", text: "one", failed: false },
    { role: "tool", call: "b", name: "read", text: "two", failed: true },
    { role: "user", text: "and this" },
  ]);
});

test("R3: a call that was never made gets a result that says so, because every call needs one", () => {
  const { history } = continueFrom(input, [asks("a", "b"), { kind: "tool", text: "one", failed: false }]);
  expect(history.at(-1)).toMatchObject({ role: "tool", call: "b", failed: true });
});

test.each<[string, HistoryStep]>([
  ["an answer of the model", { kind: "model", message: { role: "assistant", text: "well", toolCalls: [] } }],
  ["what people said meanwhile", { kind: "intake", messages: [{ role: "user", text: "and this" }] }],
])("a call that was never made gets a result before %s", (_title, next) => {
  const { history } = continueFrom(input, [asks("a", "b"), { kind: "tool", text: "one", failed: false }, next]);
  expect(history.slice(3).map(({ role }) => role)).toEqual(["tool", next.kind === "model" ? "assistant" : "user"]);
  expect(history[3]).toMatchObject({ call: "b", failed: true });
});
