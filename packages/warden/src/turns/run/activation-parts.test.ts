import { expect, test } from "bun:test";
import type { ToolCall } from "@hearth/protocol";
import type { JournaledStep } from "../../kernel/journal/journal.ts";
import { toParts } from "./activation-parts.ts";

const call = (id: string, name: string): ToolCall => ({ id, name, input: { path: id } });
const model = (text: string, toolCalls: readonly ToolCall[] = []): JournaledStep => ({
  ...{ kind: "model", name: "main", effect: "pure", state: "done", startedAt: 1, endedAt: 2 },
  output: JSON.stringify({ message: { role: "assistant", text, toolCalls }, usage: {} }),
});
const tool = (name: string, text: string, failed = false): JournaledStep => ({
  ...{ kind: "tool", name, effect: "pure", state: "done", startedAt: 10, endedAt: 15 },
  output: JSON.stringify({ text, failed }),
});
const open = (step: JournaledStep, state: "started" | "unknown" = "started"): JournaledStep => ({
  ...step,
  state,
  output: undefined,
  endedAt: undefined,
});
const fold = (steps: readonly JournaledStep[], isOver = true) => toParts(new Map(steps.entries()), isOver);

test("text and calls are in order, each round's text before its calls", () => {
  const steps = [
    ...[model("Let me look.", [call("a", "read"), call("b", "list")]), tool("read", "one"), tool("list", "two", true)],
    ...[model("", [call("c", "read")]), tool("read", "three"), model("Done.")],
  ];
  const ran = { kind: "tool", startedAt: 10, durationMs: 5 };
  expect(fold(steps)).toEqual([
    { kind: "text", text: "Let me look." },
    { ...ran, call: "a", name: "read", input: { path: "a" }, state: "done", output: "one" },
    { ...ran, call: "b", name: "list", input: { path: "b" }, state: "failed", output: "two" },
    { ...ran, call: "c", name: "read", input: { path: "c" }, state: "done", output: "three" },
    { kind: "text", text: "Done." },
  ] as never);
});

test("steps come in the order of their numbers, however they are given", () => {
  const steps = new Map([
    [2, model("second")],
    [0, model("first", [call("a", "read")])],
    [1, tool("read", "one")],
  ]);
  expect(toParts(steps, true).map((part) => (part.kind === "text" ? part.text : part.call))).toEqual([
    ...["first", "a", "second"],
  ]);
});

test("an unfinished call is running, or unknown once the activation is over or the journal says so", () => {
  const asked = model("", [call("a", "shell")]);
  const begun = { call: "a", name: "shell", input: { path: "a" }, startedAt: 10 };
  expect(fold([asked, open(tool("shell", ""))], false)).toEqual([{ kind: "tool", ...begun, state: "running" }]);
  expect(fold([asked, open(tool("shell", ""))], true)).toMatchObject([{ ...begun, state: "unknown" }]);
  const unknown: JournaledStep = { ...open(tool("shell", ""), "unknown"), endedAt: 30 };
  expect(fold([asked, unknown], false)).toMatchObject([{ ...begun, state: "unknown", durationMs: 20 }]);
});

test("an unfinished model call has no part yet, and calls that were not made are omitted", () => {
  expect(fold([open(model("half"))], false)).toEqual([]);
  expect(fold([model("Shall I?", [call("a", "read")])])).toEqual([{ kind: "text", text: "Shall I?" }]);
});

test("a call that the model did not request has no input", () => {
  const steps = [model("", [call("a", "read")]), tool("shell", "x"), tool("shell", "y")];
  expect(fold(steps)).toMatchObject([
    { call: "step-1", name: "shell", input: {} },
    { call: "step-2", name: "shell", input: {} },
  ]);
});

test("a long output loses its middle and reports the removed length", () => {
  const [part] = fold([model("", [call("a", "read")]), tool("read", "x".repeat(50_000))]);
  const output = part?.kind === "tool" ? (part.output ?? "") : "";
  expect(output.length).toBeLessThanOrEqual(20_000);
  expect(output).toContain("[… 32000 characters left out …]");
});

test("a clock that was set back causes no negative duration", () => {
  const step: JournaledStep = { ...tool("read", "x"), endedAt: 3 };
  expect(fold([model("", [call("a", "read")]), step])).toMatchObject([{ durationMs: 0 }]);
});
