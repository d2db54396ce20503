/**
 * Tests that a small workload keeps all invariants when the daemon crashes once, at any failpoint.
 * `npm run test:long` also tests every pair of crashes, and further variants of the workload.
 */
import { expect, test } from "bun:test";
import { runProgram } from "./program.ts";

test("wherever the daemon ends, everything is answered, and no effect happens twice", async () => {
  const report = await runProgram(["--enumerate", "--singles", "--quick"]);
  expect(report.failures).toEqual([]);
  expect(report.runs).toBeGreaterThan(500);
  // Both kinds of unknown outcomes occurred, so the invariants about them were tested.
  expect(report.unknown.calls).toBeGreaterThan(30);
  expect(report.unknown.deliveries).toBeGreaterThan(5);
}, 1_200_000);
