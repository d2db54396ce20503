/**
 * A real fsync that fails, injected by strace: what the store reports is what the next start finds.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordIds } from "../../kernel/store/conformance/rows.conformance.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import { openSqlite } from "./sqlite.ts";

const COMMITS = 4;
const strace = process.env["HEARTH_STRACE"] ?? Bun.which("strace");
/** Containers may forbid what strace needs. */
const why =
  strace === null
    ? "strace is not installed"
    : Bun.spawnSync([strace, "-f", "-o", "/dev/null", "true"], { stderr: "pipe" }).success
      ? undefined
      : "strace may not trace here";

/** Commits r1 to r4, every second one with an event, prints the outcome of each, and is killed. */
const WRITER = `
import { createSqliteStore } from ${JSON.stringify(join(import.meta.dir, "../../kernel/store/sqlite.ts"))};
import { openSqlite } from ${JSON.stringify(join(import.meta.dir, "sqlite.ts"))};
import { append, insert, record } from ${JSON.stringify(join(import.meta.dir, "../../kernel/store/conformance/rows.conformance.ts"))};
const end = () => process.kill(process.pid, "SIGKILL");
const clock = { turn: () => Promise.resolve(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
const database = openSqlite(process.argv.at(-1));
const store = await createSqliteStore({ database, clock, durability: "power", onUnknownOutcome: end });
for (let number = 1; number <= ${COMMITS}; number += 1) {
  const event = number % 2 === 0 ? [append("plain", "e" + number)] : [];
  const outcome = await store.commit({ writes: [insert(record("r" + number)), ...event] }).then(({ kind }) => kind, () => "rejected");
  process.stdout.write("r" + number + " " + outcome + "\\n");
}
end();
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-sync-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const openStore = (path: string) =>
  createSqliteStore({
    database: openSqlite(path),
    clock: { turn: () => Promise.resolve(), sleep },
    durability: "power",
  });

/** The outcome of each record whose commit returned, and how many syncs the run made. */
const write = (path: string, fault: string): { readonly outcomes: Map<string, string>; readonly syncs: number } => {
  const log = join(folder, "log");
  const { stdout } = Bun.spawnSync([
    ...[strace ?? "", "-f", "-o", log, "-e", "trace=fsync,fdatasync", ...fault.split(" ").filter(Boolean)],
    ...[process.execPath, "--no-install", "-e", WRITER, "--", path],
  ]);
  const lines = stdout.toString().trim().split("\n").filter(Boolean);
  const { stdout: found } = Bun.spawnSync(["grep", "-c", "sync(", log]);
  return {
    outcomes: new Map(lines.map((line) => line.split(" ") as [string, string])),
    syncs: Number(found.toString()),
  };
};

test.skipIf(why !== undefined)(
  `a commit whose sync failed is there exactly when it was reported as committed${why === undefined ? "" : ` (skipped: ${why})`}`,
  async () => {
    const whole = join(folder, "0.db");
    await (await openStore(whole))[Symbol.asyncDispose]();
    const { outcomes, syncs } = write(whole, "");
    expect([...outcomes.values()]).toEqual(Array(COMMITS).fill("committed"));
    expect(syncs).toBeGreaterThanOrEqual(COMMITS);

    let rejected = 0;
    for (const times of ["", "+"])
      for (let nth = 1; nth <= syncs; nth += 1) {
        const path = join(folder, `${nth}${times}.db`);
        await (await openStore(path))[Symbol.asyncDispose]();
        const run = write(path, `-e inject=fsync,fdatasync:error=EIO:when=${nth}${times}`);
        await using store = await openStore(path);
        const present = new Set(await recordIds(store));
        for (const [id, outcome] of run.outcomes) {
          expect({ nth, times, id, isPresent: present.has(id) }).toEqual({
            nth,
            times,
            id,
            isPresent: outcome === "committed",
          });
          if (outcome === "rejected") rejected += 1;
        }
      }
    expect(rejected).toBeGreaterThan(0);
  },
  60_000,
);
