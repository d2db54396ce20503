/** `hearth storage` against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { StorageReport } from "@hearth/protocol";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";
import { showBytes } from "./storage.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const report: StorageReport = {
  measuredAt: 1,
  totalBytes: 3_145_728,
  kinds: [
    { kind: "audit", bytes: 2_097_152 },
    { kind: "work", bytes: 1_048_576 },
  ],
  days: [{ day: "2026-11-22", bytes: 2048 }],
  retention: [
    { table: "outbox", days: 90, due: 4, dueInWeek: 9, nextAt: 0 },
    { table: "job_slots", days: 365, due: 0, dueInWeek: 0 },
  ],
  isShrinking: false,
};

test("sizes, growth and due rows are shown, and a file that keeps its size is named", async () => {
  house.answer("GET /api/storage", report);
  const { code, out, err } = await runAt(house, ["storage"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^audit log +2\.0 MiB *$/m);
  expect(out).toMatch(/^work folders +1\.0 MiB *$/m);
  expect(out).toMatch(/^total +3\.0 MiB *$/m);
  expect(out).toMatch(/^2026-11-22 +2\.0 KiB *$/m);
  expect(out).toMatch(/^deliveries +90 days +4 +9 +\S/m);
  expect(out).toMatch(/^outcomes of jobs +365 days +0 +0 *$/m);
  expect(err).toContain("its file does not shrink");
  expect(JSON.parse((await runAt(house, ["storage", "--json"])).out)).toEqual(report);
});

test("sizes have the unit that keeps them short", () => {
  expect([0, 1023, 1024, 1_048_575, 1_048_576, 2 ** 50].map(showBytes)).toEqual([
    ...["0 B", "1023 B", "1.0 KiB", "1024.0 KiB", "1.0 MiB", "1024.0 TiB"],
  ]);
});
