import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { createBunMachine } from "./machine.ts";

test("this machine has a system, processors, memory and a disk, and no more of it free than there is", async () => {
  const seen = await createBunMachine(tmpdir()).look();
  expect(seen.system).toContain(process.arch);
  expect(seen.processors).toBeGreaterThan(0);
  expect(seen.memory).toBeGreaterThan(0);
  expect(seen.disk).toBeGreaterThan(0);
  expect(seen.freeMemory).toBeLessThanOrEqual(seen.memory);
  expect(seen.freeDisk).toBeLessThanOrEqual(seen.disk);
});
