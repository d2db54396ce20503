/** Mutants of a person's word about one call: it is needed, it counts once, and it is given by those who may. */
import type { Mutant } from "./mutant.ts";

export const mutantsOfWords: readonly Mutant[] = [
  {
    name: "a word is not used up by its call",
    rule: "word",
    edits: [
      {
        file: "warden/src/policy/approvals/approval-book.ts",
        from: 'set: { state: "used" } }]',
        to: 'set: { state: "allowed" } }]',
      },
    ],
    first: "seeds",
  },
  {
    name: "a call that was denied is made",
    rule: "word",
    edits: [
      {
        file: "warden/src/policy/approvals/approval-stage.ts",
        from: "return refuse(denied(known.reason));",
        to: "return ON;",
      },
    ],
    first: "seeds",
  },
  {
    name: "whoever is there gives the word",
    rule: "word",
    edits: [
      {
        file: "warden/src/policy/approvals/approval-book.ts",
        from: "await deciders.require(principal, row);\n      const by",
        to: "const by",
      },
    ],
    tests: "warden/src/warden-with-approvals.test.ts",
  },
];
