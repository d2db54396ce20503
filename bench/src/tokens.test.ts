/** Enforces the limits of what Hearth adds to a first message, and of what the second one repeats. */
import { afterAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { isSkipped } from "./bench.ts";
import { createSite } from "./site.ts";
import { tokens } from "./tokens.ts";

const site = createSite({ root: fileURLToPath(new URL("../..", import.meta.url)), say: () => {} });
afterAll(() => site[Symbol.asyncDispose]());

test("a first message with all tools adds at most 1,000 tokens to the brain's text, and the second repeats 95 % from the cache, on both wires", async () => {
  const figures = (await tokens.run(site, {})).flatMap((finding) => (isSkipped(finding) ? [] : [finding]));
  const added = figures.filter(({ what }) => what.endsWith("beyond the brain"));
  const cached = figures.filter(({ what }) => what.endsWith("second request, cached"));
  expect([added.length, cached.length]).toEqual([2, 2]);
  for (const { value } of added) {
    expect(value).toBeGreaterThan(500);
    expect(value).toBeLessThanOrEqual(1000);
  }
  for (const { value } of cached) {
    expect(value).toBeGreaterThanOrEqual(95);
    expect(value).toBeLessThan(100);
  }
});
