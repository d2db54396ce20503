import { expect, test } from "bun:test";
import { approvalId, createFakeApproval } from "./fake-approval.ts";
import { emptyInbox, findMissing, removeApproval, replaceApproval, stepTo, addPending } from "./inbox.ts";

const asked = (...counts: readonly number[]) => counts.map((count) => createFakeApproval(count));
const idsOf = ({ entries }: ReturnType<typeof addPending>) => entries.map(({ id }) => id);

test("requests are listed in the order of arrival, and new ones move nothing", () => {
  const first = addPending(emptyInbox, asked(3, 1));
  expect(idsOf(first)).toEqual([approvalId(1), approvalId(3)]);
  expect(idsOf(addPending(first, asked(4, 3, 2, 1)))).toEqual([1, 3, 2, 4].map(approvalId));
  expect(addPending(first, asked(3, 1))).toBe(first);
});

test("a request that is no longer pending is fetched, one that was decided here is not", () => {
  const inbox = replaceApproval(addPending(emptyInbox, asked(1, 2, 3)), createFakeApproval(2, { state: "allowed" }));
  expect(findMissing(inbox, asked(3))).toEqual([approvalId(1)]);
});

test("a decided request stays decided, whichever answer arrives last", () => {
  const denied = createFakeApproval(1, { state: "denied" });
  const inbox = replaceApproval(replaceApproval(addPending(emptyInbox, asked(1)), denied), createFakeApproval(1));
  expect(inbox.entries).toEqual([denied]);
  expect(addPending(inbox, asked(1)).entries).toEqual([denied]);
});

test("a late answer does not bring back a request that left the list", () => {
  const inbox = removeApproval(addPending(emptyInbox, asked(1, 2)), approvalId(1));
  expect(idsOf(addPending(inbox, asked(1, 2)))).toEqual([approvalId(2)]);
});

test("a step stops at the ends, and starts at the first request", () => {
  const entries = asked(1, 2);
  expect(stepTo(entries, approvalId(1), 1)).toBe(approvalId(2));
  expect(stepTo(entries, approvalId(2), 1)).toBe(approvalId(2));
  expect(stepTo(entries, approvalId(1), -1)).toBe(approvalId(1));
  expect(stepTo(entries, undefined, 1)).toBe(approvalId(1));
  expect(stepTo([], undefined, 1)).toBeUndefined();
});
