/** Enforces the limit of tokens that Hearth adds to a first message. */
import { afterAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { isSkipped } from "./bench.ts";
import { createSite } from "./site.ts";
import { tokens } from "./tokens.ts";

const site = createSite({ root: fileURLToPath(new URL("../..", import.meta.url)), say: () => {} });
afterAll(() => site[Symbol.asyncDispose]());

test("a first message with all tools adds at most 1,300 tokens to the brain's text, on both wires", async () => {
  const figures = (await tokens.run(site, {})).filter((finding) => !isSkipped(finding) && finding.target !== undefined);
  expect(figures).toHaveLength(2);
  for (const figure of figures) {
    if (isSkipped(figure)) continue;
    expect(figure.target).toEqual({ atMost: 1300 });
    expect(figure.value).toBeGreaterThan(500);
    expect(figure.value).toBeLessThanOrEqual(1300);
  }
});
