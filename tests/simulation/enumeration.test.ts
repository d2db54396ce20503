/** That a small workload keeps every promise wherever the daemon ends, once and twice in a row. */
import { expect, test } from "bun:test";
import { runProgram } from "./program.ts";

test("wherever the daemon ends, and ends again, everything is answered, and no effect happens twice", async () => {
  const report = await runProgram(["--enumerate"]);
  expect(report.failures).toEqual([]);
  expect(report.runs).toBeGreaterThan(5000);
  // Both ways of not knowing were met, so that neither is only promised.
  expect(report.unknown.calls).toBeGreaterThan(100);
  expect(report.unknown.deliveries).toBeGreaterThan(100);
}, 2_400_000);
