import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { createBunMachine } from "./machine.ts";

test("the machine report has a system, processors, memory and disk, with free amounts up to the totals", async () => {
  const seen = await createBunMachine(tmpdir()).describe();
  expect(seen.system).toContain(process.arch);
  expect(seen.processors).toBeGreaterThan(0);
  expect(seen.memory).toBeGreaterThan(0);
  expect(seen.disk).toBeGreaterThan(0);
  expect(seen.freeMemory).toBeLessThanOrEqual(seen.memory);
  expect(seen.freeDisk).toBeLessThanOrEqual(seen.disk);
});
