/** Tests the measurement of a home: sizes by kind, growth by day, and rows that are due. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunClock } from "@hearth/inmate/bun/clock";
import type { StorageReport } from "@hearth/protocol";
import { plainRow } from "../../../fixtures/rows.ts";
import { append } from "../../../kernel/store/conformance/rows.conformance.ts";
import { createSqliteStore } from "../../../kernel/store/sqlite.ts";
import type { Store, Write } from "../../../kernel/store/store.ts";
import { openSqlite } from "../sqlite.ts";
import { measureInProcess } from "./examine-in-process.ts";
import { measureStorage } from "./measure.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 20_000 * DAY_MS + 1;
const options = { now: NOW, retention: { deliveryDays: 90, jobDays: 365, usageDays: 400 }, logDays: 30 };

let home: string;
let store: Store;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "hearth-measure-"));
  store = await createSqliteStore({ database: openSqlite(join(home, "hearth.db")), clock: createBunClock() });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

const say = (stream: string, id: string, at: number, size: number): Write => {
  const { event, ...write } = append(stream, id);
  return { ...write, event: { ...event, at, body: "x".repeat(size) } };
};

const update = (external: string, at: number): Write => ({
  kind: "insert",
  table: "inbound",
  row: plainRow("inbound", {
    ...{
      channel: "c",
      external,
      at: 0,
      received_at: at,
      conversation: "v",
      message: external,
      sender: "s",
      room: null,
      event: null,
    },
    fate: "accepted",
  }),
});

test("events are counted by the kind of their stream, and all kinds together are the size of the files", async () => {
  const bytesOf = ({ kinds }: StorageReport, wanted: string): number =>
    kinds.find(({ kind }) => kind === wanted)?.bytes ?? 0;
  await store.scrub();
  // Empty tables have pages too.
  const empty = await measureStorage(home, options);
  await store.commit({
    writes: Array.from({ length: 100 }, (_, index) => [
      say("room:r", `e${index}`, NOW, 3000),
      say("audit:h", `a${index}`, NOW, 1000),
    ]).flat(),
  });
  mkdirSync(join(home, "blobs/aa"), { recursive: true });
  writeFileSync(join(home, "blobs/aa/one"), "x".repeat(5000));
  utimesSync(join(home, "blobs/aa/one"), new Date(NOW), new Date(NOW));
  mkdirSync(join(home, "brains/main/workspace"), { recursive: true });
  writeFileSync(join(home, "brains/main/SOUL.md"), "x".repeat(70));
  writeFileSync(join(home, "brains/main/workspace/file"), "x".repeat(80));
  writeFileSync(join(home, "hearth.toml"), "version = 1\n");
  await store.scrub();
  const report = await measureStorage(home, options);
  const { kinds, totalBytes, days, isShrinking } = report;
  const of = (wanted: string): number => bytesOf(report, wanted) - bytesOf(empty, wanted);
  expect(of("messages") / of("audit")).toBeGreaterThan(2.5);
  expect(of("messages") / of("audit")).toBeLessThan(3.2);
  expect([of("blobs"), of("brains"), of("work"), isShrinking]).toEqual([5000, 70, 80, true]);
  const file = statSync(join(home, "hearth.db")).size;
  expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length);
  expect(Math.abs(totalBytes - file - 5150)).toBeLessThan(200_000);
  const [today] = days;
  expect([days.length, today?.day]).toEqual([1, "2024-10-04"]);
  expect(Math.abs((today?.bytes ?? 0) - of("messages") - of("audit") - 5000)).toBeLessThan(20_000);
});

test("growth is listed by day for two weeks, without older days", async () => {
  for (const ago of [0, 1, 13, 14])
    await store.commit({ writes: [say("room:r", `e${ago}`, NOW - ago * DAY_MS, 9000)] });
  const { days } = await measureStorage(home, options);
  expect(days.map(({ day }) => day)).toEqual(["2024-09-21", "2024-10-03", "2024-10-04"]);
});

test("rows are counted that are due now and within a week, with the instant of the next one", async () => {
  const due = NOW - 90 * DAY_MS;
  await store.commit({
    writes: [update("a", due - 5), update("b", due), update("c", due + 7 * DAY_MS), update("d", NOW)],
  });
  const { retention } = await measureStorage(home, options);
  expect(retention.find(({ table }) => table === "inbound")).toEqual({
    ...{ table: "inbound", days: 90, due: 2, dueInWeek: 3, nextAt: NOW - 5 },
  });
  expect(retention.map(({ table, days }) => [table, days])).toEqual([
    ["activations", 30],
    ["job_slots", 365],
    ["job_deliveries", 90],
    ["inbound", 90],
    ["outbox", 90],
    ["model_usage", 400],
    ["speeches", 90],
  ]);
});

test("another process measures a home whose database is open", async () => {
  await store.commit({ writes: [say("room:r", "e", NOW, 100)] });
  const beside = await measureInProcess(home, options);
  expect(beside).toEqual(await measureStorage(home, options));
});
