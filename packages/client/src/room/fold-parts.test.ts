import { describe, expect, test } from "bun:test";
import type { ActivationPart, DeltaEvent } from "@hearth/protocol";
import { foldParts, noParts } from "./fold-parts.ts";

const round: DeltaEvent = { type: "round-start", at: 1, round: 1 };
const text = (said: string): DeltaEvent => ({ type: "text-delta", at: 1, text: said });
const start = (call: string): DeltaEvent => ({
  type: "tool-start",
  at: 5,
  call,
  name: "shell",
  input: { command: "ls" },
});
const done = (call: string, failed: "failed" | "done" = "done"): DeltaEvent => ({
  type: "tool-end",
  at: 9,
  call,
  name: "shell",
  failed: failed === "failed",
  output: "out",
  durationMs: 4,
});
const show = (...events: readonly DeltaEvent[]): readonly ActivationPart[] => events.reduce(foldParts, noParts).parts;
const tool = { kind: "tool", call: "a", name: "shell", input: { command: "ls" }, startedAt: 5 } as const;

describe("the parts of an activation", () => {
  test("join the text of one round", () => {
    expect(show(round, text("Gr"), text("üße"), round, text("again"))).toEqual([
      { kind: "text", text: "Grüße" },
      { kind: "text", text: "again" },
    ]);
  });

  test("show a retry until the next sign of the model", () => {
    const error = { code: "provider.overloaded", message: "busy" } as const;
    const retry: DeltaEvent = { type: "retry", at: 1, error, retryAt: 9, attempt: 2, attempts: 4 };
    const retryAfter = (...events: readonly DeltaEvent[]) => events.reduce(foldParts, noParts).retry;
    expect(retryAfter(round, retry)).toEqual({ error, retryAt: 9, attempt: 2, attempts: 4 });
    for (const heard of [round, text("x"), start("a"), { type: "restart", at: 1 }] as const)
      expect(retryAfter(round, retry, heard)).toBeUndefined();
  });

  test("have each tool call at its start, with its result", () => {
    expect(show(text("x"), start("a"))).toEqual([
      { kind: "text", text: "x" },
      { ...tool, state: "running" },
    ]);
    expect(show(start("a"), start("b"), done("b", "failed"), done("a"), text("y"))).toEqual([
      { ...tool, state: "done", output: "out", durationMs: 4 },
      { ...tool, call: "b", state: "failed", output: "out", durationMs: 4 },
      { kind: "text", text: "y" },
    ]);
  });

  test("last until the end of the call, also if it waited before it ran", () => {
    expect(show(start("a"), { ...done("a"), at: 12 })).toMatchObject([{ startedAt: 5, durationMs: 7 }]);
  });

  test("show the end of a call whose start was missed", () => {
    expect(show(done("a"))).toEqual([{ ...tool, input: null, state: "done", output: "out", durationMs: 4 }]);
  });

  test("show a call once that starts again", () => {
    expect(show(start("a"), text("x"), start("a"))).toHaveLength(2);
  });

  test("start over in another cell", () => {
    expect(show(text("x"), start("a"), { type: "restart", at: 1 }, text("y"))).toEqual([{ kind: "text", text: "y" }]);
  });

  test("show the outcome of a call that never ended as unknown", () => {
    expect(show(start("a"), start("b"), done("b"), { type: "end", at: 1, state: "stopped" })).toMatchObject([
      { state: "unknown" },
      { state: "done" },
    ]);
  });

  test("keep earlier parts as the same objects", () => {
    const before = [round, text("x"), start("a"), done("a")].reduce(foldParts, noParts);
    const after = foldParts(before, text("y"));
    expect(after.parts.slice(0, 2).every((part, index) => part === before.parts[index])).toBe(true);
  });
});
