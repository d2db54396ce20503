/**
 * Tests that a small workload keeps all invariants when the daemon crashes once, at any failpoint.
 * `npm run test:long` also tests every pair of crashes.
 */
import { expect, test } from "bun:test";
import { runProgram } from "./program.ts";

test("wherever the daemon ends, everything is answered, and no effect happens twice", async () => {
  const report = await runProgram(["--enumerate", "--singles"]);
  expect(report.failures).toEqual([]);
  expect(report.runs).toBeGreaterThan(1000);
  // Both kinds of unknown outcomes occurred, so the invariants about them were tested.
  expect(report.unknown.calls).toBeGreaterThan(50);
  expect(report.unknown.deliveries).toBeGreaterThan(10);
}, 1_200_000);
