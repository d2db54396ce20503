/**
 * Tests that a small workload keeps all invariants when the daemon crashes at any failpoint, once
 * or twice.
 */
import { expect, test } from "bun:test";
import { runProgram } from "./program.ts";

test("wherever the daemon ends, and ends again, everything is answered, and no effect happens twice", async () => {
  const report = await runProgram(["--enumerate"]);
  expect(report.failures).toEqual([]);
  expect(report.runs).toBeGreaterThan(5000);
  // Both kinds of unknown outcomes occurred, so the invariants about them were tested.
  expect(report.unknown.calls).toBeGreaterThan(100);
  expect(report.unknown.deliveries).toBeGreaterThan(100);
}, 2_400_000);
