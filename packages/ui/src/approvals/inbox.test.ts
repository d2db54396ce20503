import { expect, test } from "bun:test";
import { approvalId, createFakeApproval } from "./fake-approval.ts";
import { emptyInbox, findMissing, leave, put, stepTo, takeAsked } from "./inbox.ts";

const asked = (...counts: readonly number[]) => counts.map((count) => createFakeApproval(count));
const idsOf = ({ entries }: ReturnType<typeof takeAsked>) => entries.map(({ id }) => id);

test("what is asked stands in the order in which it came, and what comes later moves nothing", () => {
  const first = takeAsked(emptyInbox, asked(3, 1));
  expect(idsOf(first)).toEqual([approvalId(1), approvalId(3)]);
  expect(idsOf(takeAsked(first, asked(4, 3, 2, 1)))).toEqual([1, 3, 2, 4].map(approvalId));
  expect(takeAsked(first, asked(3, 1))).toBe(first);
});

test("what is not asked any more is looked up, and what was decided here is not", () => {
  const inbox = put(takeAsked(emptyInbox, asked(1, 2, 3)), createFakeApproval(2, { state: "allowed" }));
  expect(findMissing(inbox, asked(3))).toEqual([approvalId(1)]);
});

test("what was decided stays so, whichever answer comes last", () => {
  const denied = createFakeApproval(1, { state: "denied" });
  const inbox = put(put(takeAsked(emptyInbox, asked(1)), denied), createFakeApproval(1));
  expect(inbox.entries).toEqual([denied]);
  expect(takeAsked(inbox, asked(1)).entries).toEqual([denied]);
});

test("what has left does not come back by an answer that was on its way", () => {
  const inbox = leave(takeAsked(emptyInbox, asked(1, 2)), approvalId(1));
  expect(idsOf(takeAsked(inbox, asked(1, 2)))).toEqual([approvalId(2)]);
});

test("a step goes no further than the ends, and from nowhere to the first", () => {
  const entries = asked(1, 2);
  expect(stepTo(entries, approvalId(1), 1)).toBe(approvalId(2));
  expect(stepTo(entries, approvalId(2), 1)).toBe(approvalId(2));
  expect(stepTo(entries, approvalId(1), -1)).toBe(approvalId(1));
  expect(stepTo(entries, undefined, 1)).toBe(approvalId(1));
  expect(stepTo([], undefined, 1)).toBeUndefined();
});
