import { expect, test } from "bun:test";
import { anchorConformance } from "./anchor.conformance.ts";
import { chain, headOf, hmac, HOUSE, otherSealer } from "./fixtures.conformance.ts";
import { createMemoryAnchor, isMarked, markHead } from "./heads.ts";

anchorConformance("memory", async () => {
  const anchor = createMemoryAnchor();
  return { anchor, reopen: () => anchor, async [Symbol.asyncDispose]() {} };
});

test("a head is marked over all of its fields with the key", () => {
  const head = headOf(chain(HOUSE, ["{}"]));
  expect(isMarked(hmac, head)).toBe(true);
  for (const change of [{ offset: 2 }, { seal: "0" }, { at: 0 }, { mark: "0" }, { house: "house_x" as typeof HOUSE }])
    expect(isMarked(hmac, { ...head, ...change })).toBe(false);
  const foreign = markHead((text) => otherSealer.seal(text, { ...ROW, stream: "audit:" }), head);
  expect(isMarked(hmac, foreign)).toBe(false);
});

const ROW = { offset: 1, id: "e", type: "t", at: 0, body: null, blob: null, labels: null };
