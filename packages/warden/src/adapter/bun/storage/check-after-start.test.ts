/** Tests the check of the database after a start: delayed, in a separate process, and reported. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunClock } from "@hearth/inmate/bun/clock";
import type { Check } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { createSqliteStore } from "../../../kernel/store/sqlite.ts";
import { append } from "../../../kernel/store/conformance/rows.conformance.ts";
import { openSqlite } from "../sqlite.ts";
import { examineInProcess } from "./examine-in-process.ts";
import { checkStorageAfterStart } from "./check-after-start.ts";

const BAD: Check = { name: "database pages", ok: false, detail: "page 7 is damaged", fix: "hearth repair" };

test("the pages are checked some seconds after the start, and damage is logged and reported", async () => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const log = createFakeLog();
  const examined: unknown[] = [];
  const hasExamined = Promise.withResolvers<void>();
  const watch = checkStorageAfterStart({
    ...{ home: "/home", log, sleep: clock.sleep, signal: new AbortController().signal },
    examine: async (home, how) => {
      examined.push([home, how?.quick]);
      hasExamined.resolve();
      return [BAD];
    },
  });
  await advance(9000);
  expect([examined, watch.findings()]).toEqual([[], []]);
  await advance(1000);
  await hasExamined.promise;
  await advance(0);
  expect(examined).toEqual([["/home", true]]);
  expect(watch.findings()).toEqual([BAD]);
  expect(log.lines.join("\n")).toContain("page 7 is damaged");
});

test("a house that ends earlier is not checked", async () => {
  const { clock, advance } = createFakeWorld({ hash: () => "" });
  const life = new AbortController();
  let runs = 0;
  const examine = async (): Promise<readonly Check[]> => ((runs += 1), []);
  checkStorageAfterStart({ home: "/home", log: createFakeLog(), sleep: clock.sleep, signal: life.signal, examine });
  life.abort();
  await advance(20_000);
  expect(runs).toBe(0);
});

test("another process checks a home with an open database and names each missing blob", async () => {
  const home = mkdtempSync(join(tmpdir(), "hearth-examine-"));
  try {
    await using store = await createSqliteStore({
      database: openSqlite(join(home, "hearth.db")),
      clock: createBunClock(),
    });
    const one = append("room:a", "e1");
    const gone = "a".repeat(64);
    await store.commit({ writes: [{ ...one, event: { ...one.event, body: null, blob: gone } }] });
    const checks = await examineInProcess(home);
    expect(checks.find(({ name }) => name === "database pages")).toMatchObject({ ok: true });
    const blobs = checks.find(({ name }) => name === "blobs");
    expect([blobs?.ok, blobs?.detail]).toEqual([false, `message or event room:a 1: blob ${gone} is missing`]);
    writeFileSync(join(home, "hearth.toml"), "");
    expect((await examineInProcess(home, { quick: true })).map(({ ok }) => ok)).toEqual([true]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
