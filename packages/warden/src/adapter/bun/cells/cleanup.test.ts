import { expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_WALLS } from "../../../cells/backend.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { removeFolder, runCleanup } from "./cleanup.ts";
import { startInmate } from "./inmate-process.ts";

const fails = { name: "break", path: "/somewhere", run: () => Promise.reject(new Error("no rights")) };

test("a cleanup step that fails is logged with its path and reason, and the steps after it run", async () => {
  const log = createFakeLog();
  const ran: string[] = [];
  const reason = await runCleanup(log, [
    { name: "first", run: async () => "it ran out of memory" },
    fails,
    { name: "last", run: async () => void ran.push("last") },
  ]);
  expect({ reason, ran }).toEqual({ reason: "it ran out of memory", ran: ["last"] });
  expect(log.lines).toHaveLength(1);
  for (const words of ["break", "/somewhere", "no rights"]) expect(log.lines[0]).toContain(words);
});

test("an inmate whose cleanup fails still ends, also when it is closed", async () => {
  const log = createFakeLog();
  const ran: string[] = [];
  const cell = startInmate({
    ...{ clock: createBunClock(), log, argv: ["/bin/cat"], env: {}, cwd: "/", walls: NO_WALLS },
    cleanup: [fails, { name: "last", run: async () => void ran.push("last") }],
  });
  await cell.close();
  expect(await cell.exited).toBeUndefined();
  expect(ran).toEqual(["last"]);
  expect(log.lines).toHaveLength(1);
});

/** Root ignores modes unless it gives up the capabilities to do so. */
const WITHOUT_OVERRIDE =
  process.getuid?.() === 0 && Bun.which("setpriv") !== null
    ? ["setpriv", "--inh-caps=-dac_override,-dac_read_search", "--bounding-set=-dac_override,-dac_read_search", "--"]
    : [];

const MODES = [0o000, 0o100, 0o200, 0o300, 0o400, 0o500, 0o600, 0o700];

test("a folder is removed whatever the modes of its folders, and its links are not followed", async () => {
  const parent = mkdtempSync(join(tmpdir(), "hearth-cleanup-"));
  try {
    const [folder, kept] = [join(parent, "folder"), join(parent, "kept")];
    for (const path of [folder, kept]) mkdirSync(path);
    writeFileSync(join(kept, "file"), "kept\n");
    symlinkSync(kept, join(folder, "link"));
    for (const [index, mode] of MODES.entries()) {
      const outer = join(folder, `mode-${index}`);
      mkdirSync(join(outer, "inner"), { recursive: true });
      writeFileSync(join(outer, "inner/file"), "gone\n");
      symlinkSync(kept, join(outer, "link"));
      chmodSync(join(outer, "inner"), mode);
      chmodSync(outer, mode);
    }
    chmodSync(kept, 0o500);
    const script = `await (await import(${JSON.stringify(join(import.meta.dir, "cleanup.ts"))})).${removeFolder.name}(${JSON.stringify(folder)})`;
    const child = Bun.spawnSync([...WITHOUT_OVERRIDE, process.execPath, "--no-install", "-e", script]);
    expect({ code: child.exitCode, words: child.stderr.toString() }).toEqual({ code: 0, words: "" });
    expect(existsSync(folder)).toBe(false);
    expect(statSync(kept).mode & 0o777).toBe(0o500);
    expect(existsSync(join(kept, "file"))).toBe(true);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});
