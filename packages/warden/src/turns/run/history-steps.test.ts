import { expect, test } from "bun:test";
import type { JournaledStep } from "../../kernel/index.ts";
import { interruptedCalls, toHistorySteps } from "./history-steps.ts";

const step = (kind: JournaledStep["kind"], state: JournaledStep["state"], output?: string): JournaledStep => ({
  ...{ kind, state, output, name: kind, effect: "plain", startedAt: 0, endedAt: undefined },
});
const known = new Map<number, JournaledStep>([
  [0, step("model", "done", '{"message":{"role":"assistant","text":"","toolCalls":[]},"usage":{}}')],
  [1, step("tool", "done", '{"text":"one","failed":false}')],
  [2, step("tool", "started")],
  [3, step("tool", "unknown")],
  [4, step("model", "started")],
  [5, step("tool", "started")],
]);

test("history ends before a model call that was interrupted", () => {
  expect(toHistorySteps(known).map(({ kind }) => kind)).toEqual(["model", "tool", "tool", "tool"]);
});

test("interrupted calls of the history are those that started and never ended", () => {
  expect(interruptedCalls(known, 4)).toEqual([2]);
});
