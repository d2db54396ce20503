import { afterAll, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limitsConformance } from "../../../cells/limits.conformance.ts";
import { createCellBrain } from "../../../fixtures/cell-brain.ts";
import { createCellShell } from "../../../fixtures/cell-shell.ts";
import { createBubblewrapBackend } from "./bubblewrap.ts";
import { createInmateProgram } from "./inmate-program.ts";
import { createCellLimiter } from "./limits.ts";
import { createLandlockBackend } from "./landlock.ts";
import { createQemuBackend } from "./qemu/qemu.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";

const folder = `${tmpdir()}/hearth-limits-${process.pid}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = createBunClock();
const common = { program: createInmateProgram(folder), clock, log: createFakeLog(), folder };
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/**
 * An emulated machine needs minutes for these tests. There, `qemu.test.ts` tests that the machine's
 * memory, disk and number of processes are the cell's limits, and `npm run test:long` runs them.
 */
const EMULATED = "the processor is emulated: npm run test:long";
const isWhole = process.env["HEARTH_WHOLE"] !== undefined;

for (const { backend, patienceMs } of [
  { backend: createBubblewrapBackend(common), patienceMs: 30_000 },
  { backend: createLandlockBackend(common), patienceMs: 30_000 },
  { backend: createQemuBackend({ clock, log: createFakeLog(), random }), patienceMs: 300_000 },
]) {
  const { ok, walls, why } = await backend.probe();
  // A probe of machines that succeeds gives a reason if the processor is emulated.
  const isEmulated = backend.traits.isolation === "vm" && why !== undefined;
  if (ok)
    limitsConformance({
      backend,
      enforcedWalls: walls,
      patienceMs,
      skipsLong: isEmulated && !isWhole ? EMULATED : undefined,
    });
  else test.skip(`${backend.kind}: ${why}`, () => {});
}

test("without a control group, memory is measured, and a cell over its limit is ended", async () => {
  const backend = createBubblewrapBackend({
    ...common,
    groups: async () => ({ open: async () => undefined, holds: new Set<never>(), why: "none" }),
  });
  using home = createCellBrain({ limits: { ...DEFAULT_CELL_LIMITS, memoryMiB: 256 } });
  const cell = await backend.open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  const lost = await shell.run(`perl -e 'my $memory = "x" x (300 * 1024 * 1024); sleep 60'`).catch(String);
  expect(lost).toContain("256 MiB of memory");
  expect(await cell.exited).toContain("256 MiB of memory");
});

test("a cell with more files than its limit ends, even if the files are empty", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "hearth-files-"));
  try {
    const guard = await createCellLimiter({
      clock: { ...clock, sleep: (ms, signal) => clock.sleep(Math.min(ms, 10), signal) },
      groups: { open: async () => undefined, holds: new Set() },
      limits: DEFAULT_CELL_LIMITS,
      folders: [workspace],
      maxFiles: 300,
    });
    let reason: string | undefined;
    guard.watch(process.pid, (why) => (reason = why));
    let count = 0;
    const isOver = (): boolean => {
      for (let more = 0; more < 500; more += 1) writeFileSync(join(workspace, `${(count += 1)}`), "");
      return reason !== undefined;
    };
    await until(isOver);
    expect(reason).toMatch(/^it has more than \d+ files$/);
    await guard.end();
  } finally {
    rmSync(workspace, { recursive: true });
  }
});

const testUnlessRoot = process.getuid?.() === 0 ? test.skip : test;

testUnlessRoot("a folder whose permissions prevent counting its files ends the cell", async () => {
  using home = createCellBrain();
  const cell = await createBubblewrapBackend(common).open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  const closed = shell.run("mkdir dark; head -c 4000000 /dev/zero >dark/file; chmod 0 dark; sleep 60");
  expect(await closed.catch(String)).toContain("made a folder unreadable");
  chmodSync(join(home.workspace, "dark"), 0o700);
});
