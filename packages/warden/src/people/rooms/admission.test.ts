import { expect, test } from "bun:test";
import type { Admission } from "@hearth/protocol";
import fc from "fast-check";
import { type Approach, type Refusal, refusalOf, wakesAlways } from "./admission.ts";

const ana: Approach = { author: "ana", isDirect: false, isNamed: false };

test.each<[Admission, Partial<Approach>, Refusal | undefined]>([
  [{}, {}, undefined],
  [{ mode: "open" }, {}, undefined],
  [{ mode: "allow" }, {}, "unlisted"],
  [{ mode: "allow", allow: [] }, {}, "unlisted"],
  [{ mode: "allow", allow: ["ben"] }, {}, "unlisted"],
  [{ mode: "allow", allow: ["ana"] }, {}, undefined],
  [{ mode: "open", allow: [] }, {}, undefined],
  [{ block: ["ana"] }, {}, "blocked"],
  [{ mode: "allow", allow: ["ana"], block: ["ana"], wake: ["ana"] }, {}, "blocked"],
  [{ directOnly: true }, {}, "not-direct"],
  [{ directOnly: true }, { isDirect: true }, undefined],
  [{ mentionRequired: true }, {}, "not-mentioned"],
  [{ mentionRequired: true }, { isDirect: true }, "not-mentioned"],
  [{ mentionRequired: true }, { isNamed: true }, undefined],
  [{ mentionRequired: true, wake: ["ana"] }, {}, undefined],
  [{ directOnly: true, mentionRequired: true, wake: ["ana"] }, {}, "not-direct"],
  [{ mode: "allow", wake: ["ana"] }, {}, "unlisted"],
])("%j and %j: %p", (admission, more, expected) => {
  expect(refusalOf(admission, { ...ana, ...more })).toBe(expected);
});

test("a longer block list or an additional rule never admits an author", () => {
  const Authors = fc.array(fc.constantFrom("ana", "ben", "cleo"), { maxLength: 3 });
  const Some = fc.record({
    mode: fc.constantFrom("open" as const, "allow" as const),
    allow: Authors,
    block: Authors,
    directOnly: fc.boolean(),
    mentionRequired: fc.boolean(),
    wake: Authors,
  });
  const Come = fc.record({
    author: fc.constantFrom("ana", "ben", "cleo"),
    isDirect: fc.boolean(),
    isNamed: fc.boolean(),
  });
  fc.assert(
    fc.property(Some, Come, fc.constantFrom("ana", "ben", "cleo"), (admission, approach, other) => {
      if (refusalOf(admission, approach) === undefined) return;
      const stricter: Admission[] = [
        { ...admission, block: [...admission.block, other] },
        { ...admission, directOnly: true },
        { ...admission, mentionRequired: true },
        { ...admission, mode: "allow", allow: [] },
      ];
      for (const admission of stricter) expect(refusalOf(admission, approach)).toBeDefined();
    }),
  );
});

test("only listed authors wake agents with every message", () => {
  expect([wakesAlways({ wake: ["ana"] }, "ana"), wakesAlways({ wake: [] }, "ana"), wakesAlways({}, "ana")]).toEqual([
    true,
    false,
    false,
  ]);
});
