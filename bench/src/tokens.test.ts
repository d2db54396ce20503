/** The bench's own figure as a gate: what Hearth adds to every first message stays below what is promised. */
import { afterAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { isSkipped } from "./bench.ts";
import { createSite } from "./site.ts";
import { tokens } from "./tokens.ts";

const site = createSite({ root: fileURLToPath(new URL("../..", import.meta.url)), say: () => {} });
afterAll(() => site[Symbol.asyncDispose]());

test("a first message with every tool on costs at most 1,300 tokens beyond the brain's own text, on both wires", async () => {
  const figures = (await tokens.run(site, {})).filter((finding) => !isSkipped(finding) && finding.target !== undefined);
  expect(figures).toHaveLength(2);
  for (const figure of figures) {
    if (isSkipped(figure)) continue;
    expect(figure.target).toEqual({ atMost: 1300 });
    expect(figure.value).toBeGreaterThan(500);
    expect(figure.value).toBeLessThanOrEqual(1300);
  }
});
