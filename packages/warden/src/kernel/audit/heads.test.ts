import { expect, test } from "bun:test";
import { anchorConformance } from "./anchor.conformance.ts";
import { chain, headOf, HOUSE, keys, otherKeys } from "./fixtures.conformance.ts";
import { createMemoryAnchor, isMarked, markHead } from "./heads.ts";

anchorConformance("memory", async () => {
  const anchor = createMemoryAnchor();
  return { anchor, reopen: () => anchor, async [Symbol.asyncDispose]() {} };
});

test("a head is marked over all of its fields with the key", () => {
  const head = headOf(chain(HOUSE, ["{}"]));
  expect(isMarked(keys, head)).toBe(true);
  for (const change of [{ offset: 2 }, { seal: "0" }, { at: 0 }, { mark: "0" }, { house: "house_x" as typeof HOUSE }])
    expect(isMarked(keys, { ...head, ...change })).toBe(false);
  expect(isMarked(keys, markHead(otherKeys, head))).toBe(false);
});
