/**
 * Mutants of approvals: each call needs one, it counts once, and only people with permission
 * decide.
 */
import type { Mutant } from "./mutant.ts";

export const mutantsOfApprovals: readonly Mutant[] = [
  {
    name: "an approval is not used up by its call",
    rule: "approval",
    edits: [
      {
        file: "warden/src/policy/approvals/approval-requests.ts",
        from: 'set: { state: "used" } }]',
        to: 'set: { state: "allowed" } }]',
      },
    ],
    first: "seeds",
  },
  {
    name: "a denied call is made",
    rule: "approval",
    edits: [
      {
        file: "warden/src/policy/approvals/approval-stage.ts",
        from: "return refuse(deniedText(approval.reason));",
        to: "return ALLOWED;",
      },
    ],
    first: "seeds",
  },
  {
    name: "any user can approve a call",
    rule: "approval",
    edits: [
      {
        file: "warden/src/policy/approvals/approval-book.ts",
        from: "return [row, await deciders.require(principal, row)];",
        to: 'return [row, "x"];',
      },
    ],
    tests: "warden/tests/policy/approvals.test.ts",
  },
];
