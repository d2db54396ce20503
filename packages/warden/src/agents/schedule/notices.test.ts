import { expect, test } from "bun:test";
import { failureNotice, MAX_FAILURES } from "./notices.ts";

const textAfter = (failures: number, isHalted?: boolean): string => {
  const about = {
    room: "room_1",
    agent: "agent_1",
    handle: "main",
    job: "tea",
    reason: "No model.",
    at: 1,
    causes: [],
  };
  const notice = failureNotice({ ...about, failures, ...(isHalted === undefined ? {} : { isHalted }) } as never);
  return notice.body.text;
};

test("a notice reports a halt at the failure that halts the job, and not before", () => {
  expect(textAfter(MAX_FAILURES - 1)).toContain(`Failed ${MAX_FAILURES - 1} of ${MAX_FAILURES} times`);
  expect(textAfter(MAX_FAILURES)).toContain(`It failed ${MAX_FAILURES} times in a row and is halted.`);
});

test("a notice can state that a job halts at once, or not at all", () => {
  expect(textAfter(1, true)).toContain("It failed once and is halted.");
  expect(textAfter(MAX_FAILURES, false)).not.toContain("is halted");
});
