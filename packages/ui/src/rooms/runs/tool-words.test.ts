import { expect, test } from "bun:test";
import type { LiveActivation } from "@hearth/client";
import { createFakeLive, createFakeTool, NOON } from "../fake-room.ts";
import {
  argumentOf,
  countTools,
  describeActivity,
  describeWait,
  inputOf,
  nameCall,
  formatDuration,
  toOneLine,
  type ToolPart,
  verbOf,
} from "./tool-words.ts";

test.each([
  ["queued", createFakeLive({ state: "queued" }), "Queued"],
  ["waiting for approval", createFakeLive({ state: "waiting" }), "Waiting for approval"],
  ["just begun", createFakeLive(), "Thinking"],
  ["in a tool", createFakeLive({ parts: [createFakeTool({ state: "running" })] }), "Reading notes.md"],
  [
    "in a command",
    createFakeLive({ parts: [createFakeTool({ name: "shell", input: { command: "ls" }, state: "running" })] }),
    "Running a command",
  ],
  ["after a tool call", createFakeLive({ parts: [createFakeTool()] }), "Thinking"],
  ["answering", createFakeLive({ parts: [createFakeTool(), { kind: "text", text: "It" }] }), "Writing"],
  ["being stopped", createFakeLive({ isStopping: true }), "Stopping"],
] as const)("the text of an activation that is %s", (_, activation, words) => {
  expect(describeActivity(activation).words).toBe(words);
});

test("a run of a stopped agent waits to be resumed", () => {
  expect(describeActivity(createFakeLive({ state: "queued" }), "held")).toEqual({ words: "Waiting to be resumed" });
  expect(describeActivity(createFakeLive(), "held").words).toBe("Thinking");
});

test("a duration is shown after three seconds, counted from the start of the current step", () => {
  const reading = createFakeLive({ parts: [createFakeTool({ state: "running", startedAt: NOON + 5000 })] });
  expect(describeWait(describeActivity(reading), NOON + 7999)).toBeUndefined();
  expect(describeWait(describeActivity(reading), NOON + 9000)).toBe("4 s");
  const thinking = createFakeLive({ parts: [createFakeTool({ startedAt: NOON + 1000, durationMs: 2000 })] });
  expect(describeWait(describeActivity(thinking), NOON + 8000)).toBe("5 s");
});

test("a retry shows its reason, attempt and countdown", () => {
  const error = {
    code: "provider.rate-limited",
    message: "x",
    remedy: { code: "choose-model", provider: "anthropic" },
  };
  const retry = { error, retryAt: NOON + 12_000, attempt: 2, attempts: 4 } as const;
  const activity = describeActivity(createFakeLive({ retry: retry as LiveActivation["retry"] }));
  expect(activity.words).toBe("Anthropic is busy.");
  expect(describeWait(activity, NOON)).toBe("Retrying in 12 s (attempt 2 of 4)");
  expect(describeWait(activity, NOON + 11_400)).toBe("Retrying in 1 s (attempt 2 of 4)");
  expect(describeWait(activity, NOON + 12_000)).toBe("Retrying now (attempt 2 of 4)");
});

test("a run that waits for its next attempt shows a countdown", () => {
  const activity = describeActivity(createFakeLive({ state: "queued", retryAt: NOON + 65_000 }));
  expect(activity.words).toBe("The model is not available.");
  expect(describeWait(activity, NOON)).toBe("Retrying in 1 min 5 s");
  expect(describeWait(activity, NOON + 65_000)).toBe("Retrying now");
});

test("a card shows the command after one verb, and other calls by their verb", () => {
  expect(verbOf(createFakeTool({ name: "shell" }))).toBe("Ran");
  expect(verbOf(createFakeTool({ name: "shell", state: "running" }))).toBe("Running");
  expect(verbOf(createFakeTool())).toBe("Read");
});

test("writing shows no duration, and a local clock behind the house's shows none either", () => {
  const writing = createFakeLive({ parts: [{ kind: "text", text: "It" }] });
  expect(describeWait(describeActivity(writing), NOON + 60_000)).toBeUndefined();
  expect(describeWait(describeActivity(createFakeLive()), NOON - 60_000)).toBeUndefined();
});

test("a call has a text while it runs and one for afterwards; unknown tools use their name", () => {
  expect(nameCall(createFakeTool({ state: "running" }))).toBe("Reading");
  expect(nameCall(createFakeTool())).toBe("Read");
  expect(nameCall(createFakeTool({ name: "weather", state: "running" }))).toBe("Using weather");
  expect(nameCall(createFakeTool({ name: "constructor", state: "failed" }))).toBe("Used constructor");
});

test("the main argument is one short line", () => {
  expect(argumentOf(createFakeTool())).toBe("notes.md");
  expect(argumentOf(createFakeTool({ name: "shell", input: { command: "ls\n  -l" } }))).toBe("ls -l");
  expect(argumentOf(createFakeTool({ name: "grep", input: { pattern: "x".repeat(200) } }))).toHaveLength(80);
  expect(argumentOf(createFakeTool({ name: "list", input: {} }))).toBeUndefined();
  expect(argumentOf(createFakeTool({ name: "weather", input: { city: "Oslo" } }))).toBe("Oslo");
  expect(argumentOf(createFakeTool({ name: "weather", input: { city: "Oslo", days: 2 } }))).toBeUndefined();
});

test.each<ToolPart["input"]>([null, 3, "text", ["a"], { path: 3 }])("an input of any shape is shown: %j", (input) => {
  const part = createFakeTool({ input });
  expect(argumentOf(part)).toBeUndefined();
  expect(JSON.parse(inputOf(part))).toEqual(input);
});

test("a command is shown as typed, other inputs as JSON", () => {
  expect(inputOf(createFakeTool({ name: "shell", input: { command: "ls\n  -l" } }))).toBe("ls\n  -l");
  expect(inputOf(createFakeTool())).toBe('{\n  "path": "notes.md"\n}');
});

test("durations and counts are readable", () => {
  expect([0, 20.4, 420, 3400, 9949, 9950, 59_400, 61_000].map(formatDuration)).toEqual([
    "0 ms",
    "20 ms",
    "420 ms",
    "3.4 s",
    "9.9 s",
    "10 s",
    "59 s",
    "1 min 1 s",
  ]);
  expect([countTools(1), countTools(3)]).toEqual(["Used 1 tool", "Used 3 tools"]);
});

test("a shortened line stays well-formed", () => {
  expect(toOneLine("ab😀cd", 4).isWellFormed()).toBe(true);
});
