import { expect, test } from "bun:test";
import type { BrainChange } from "@hearth/protocol";
import { createFakeTool, NOON } from "../../fake-room.ts";
import { changesOfCall, isUndoable } from "./call-changes.ts";

const change = (at: number, path: string, kind: BrainChange["kind"] = "write"): BrainChange => ({
  id: `chg_${at}` as BrainChange["id"],
  place: at,
  kind,
  at,
  versions: [{ path, isErased: false }],
});
const call = (input: object) =>
  createFakeTool({ name: "write_brain", input: input as never, startedAt: NOON, durationMs: 100 });

test("only finished calls that change the brain can be undone", () => {
  expect(isUndoable(call({}))).toBe(true);
  expect(isUndoable({ name: "remember", state: "failed" })).toBe(false);
  expect(isUndoable({ name: "write", state: "done" })).toBe(false);
});

test("a call made the changes of its file during its time", () => {
  const changes = [
    change(NOON - 1, "a.md"),
    change(NOON, "a.md"),
    change(NOON + 50, "b.md"),
    change(NOON + 60, "a.md", "undo"),
    change(NOON + 101, "a.md"),
  ];
  expect(changesOfCall(call({ path: "a.md" }), changes)).toEqual([changes[1] as BrainChange]);
  expect(changesOfCall(call({ text: "x" }), changes)).toEqual([changes[1], changes[2]] as BrainChange[]);
});

test("a call without a known time made no known change", () => {
  const { startedAt: _, ...timeless } = call({ path: "a.md" });
  expect(changesOfCall(timeless as ReturnType<typeof call>, [change(NOON, "a.md")])).toEqual([]);
});
