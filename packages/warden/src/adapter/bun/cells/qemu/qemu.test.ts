import { afterAll, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { backendConformance } from "../../../../cells/backend.conformance.ts";
import type { Cell } from "../../../../cells/backend.ts";
import { type CellBrain, createCellBrain } from "../../../../fixtures/cell-brain.ts";
import { type CellShell, createCellShell } from "../../../../fixtures/cell-shell.ts";
import { createQemuBackend } from "./qemu.ts";
import { createFakeLog } from "../../../../kernel/log/log.ts";

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const backend = createQemuBackend({ clock: createBunClock(), log: createFakeLog(), random });
const { ok, why } = await backend.probe();
const testHere = ok ? test : test.skip;

const empty = mkdtempSync(join(tmpdir(), "hearth-no-image-"));
afterAll(() => rmSync(empty, { recursive: true }));

const within = async (
  work: (shell: CellShell, home: CellBrain, cell: Cell) => Promise<void>,
  home: CellBrain = createCellBrain(),
): Promise<void> => {
  using _ = home;
  const cell = await backend.open(home.spec);
  try {
    await work(await createCellShell(cell, home.spec.agent), home, cell);
  } finally {
    await cell.close();
  }
};

/**
 * The same memory and disk as in the limit tests, so that one machine of this size is booted for
 * all of them. Its test is the first of this file: it boots the machine before the limit tests,
 * which run at the same time, need it.
 */
const SMALL = { memoryMiB: 256, diskMiB: 16 } as const;

testHere("its limits are the machine's: memory, processors, disk, files and processes", async () => {
  const limits = { ...SMALL, processes: 40, cpus: 1, fileMiB: 4 };
  await within(async (shell) => {
    const sizes = await shell.run("grep MemTotal /proc/meminfo; nproc; df -m --output=size . | tail -1");
    const [memory = 0, processors = 0, disk = 0] = sizes.text.match(/\d+/g)?.map(Number) ?? [];
    expect(memory).toBeLessThan(256 * 1024);
    expect(processors).toBe(1);
    expect(disk).toBeLessThanOrEqual(16);
    expect((await shell.run("head -c 5M /dev/zero >large; stat -c %s large; rm large")).text).toContain("4194304");
    const full = await shell.run(
      "for i in $(seq 20); do head -c 4M /dev/zero >$i || break; done; rm -f [0-9]*; echo over",
    );
    expect(full.text).toMatch(/No space left on device[^]*over/);
    const many = await shell.run("for i in $(seq 100); do sleep 60 & done");
    expect(many.text).toMatch(/Cannot fork|Resource temporarily unavailable/i);
    expect((await shell.run("echo still here")).text).toBe("still here");
  }, createCellBrain({ limits }));
});

if (ok) backendConformance("qemu", () => backend);
else test.skip(`qemu: ${why}`, () => {});

test("without an image the probe says how to build one", async () => {
  const probe = await createQemuBackend({
    clock: createBunClock(),
    log: createFakeLog(),
    random,
    folder: empty,
  }).probe();
  expect(probe.ok).toBe(false);
  expect([...probe.walls]).toEqual([]);
  // A missing QEMU is reported first.
  expect(probe.why).toMatch(/scripts\/build-rootfs\.sh|apt-get install|Linux on x64/);
});

/** The time from reading the host's clock until a busy machine has set its own. */
const SET_S = 5;

testHere("the clock of a machine from an old template is right", () =>
  within(async (shell) => {
    const before = Math.floor(Date.now() / 1000);
    const { text } = await shell.run("date +%s");
    expect(Number(text)).toBeGreaterThanOrEqual(before - SET_S);
    expect(Number(text)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  }),
);

testHere("two cells of one machine share no random number, of the kernel's or of the runtime's", async () => {
  const drawn: string[] = [];
  const command = `head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \\n'; echo; cat /proc/sys/kernel/random/uuid
    bun -e 'console.log(crypto.randomUUID(), Math.random())'; tr '\\0' '\\n' </proc/self/environ | grep HEARTH_RUN`;
  for (const _ of [1, 2]) {
    await within(async (shell) => {
      const { text } = await shell.run(command);
      drawn.push(...text.split(/\s+/).filter((word) => word.length > 6));
    });
  }
  expect(drawn.length).toBeGreaterThan(7);
  expect(new Set(drawn).size).toBe(drawn.length);
});

testHere("a cell sees its brain except hidden names, and can write only the workspace", async () => {
  const home = createCellBrain();
  mkdirSync(join(home.brain, "memory"), { mode: 0o700 });
  writeFileSync(join(home.brain, "memory/day.md"), "rained\n", { mode: 0o600 });
  symlinkSync("/etc/hostname", join(home.brain, "leads-out"));
  writeFileSync(join(home.workspace, "run.sh"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
  await within(async (shell) => {
    const seen = await shell.run("ls /mnt/brain; cat /mnt/brain/SOUL.md /mnt/brain/memory/day.md; ./run.sh");
    expect(seen.text).toContain("SOUL.md\nleads-out\nmemory\nworkspace\n");
    expect(seen.text).toContain("kind\nrained\nran");
    for (const path of ["SOUL.md", "new", "memory/day.md", "memory/new"]) {
      const { text } = await shell.run(`echo changed >/mnt/brain/${path} && echo did`);
      expect(text).not.toContain("did");
    }
    const link = await shell.run("cat /mnt/brain/leads-out");
    expect(link.text).not.toContain(readFileSync("/etc/hostname", "utf8"));
  }, home);
});

testHere("what changes in the brain is there at the next step", () =>
  within(async (shell, { brain }) => {
    expect((await shell.run("cat /mnt/brain/SOUL.md")).text).toBe("kind");
    writeFileSync(join(brain, "SOUL.md"), "kinder\n");
    writeFileSync(join(brain, "new.md"), "new\n");
    expect((await shell.run("cat /mnt/brain/SOUL.md /mnt/brain/new.md")).text).toBe("kinder\nnew");
    rmSync(join(brain, "new.md"));
    expect((await shell.run("ls /mnt/brain")).text).not.toContain("new.md");
  }),
);

testHere("workspace changes of a step are on the host when the step ends", () =>
  within(async (shell, { workspace }) => {
    writeFileSync(join(workspace, "of-a-person"), "later\n");
    await shell.run("mkdir -p a/b; echo one >a/b/c; echo x >run; chmod 755 run; ln -s a/b inside");
    expect(readFileSync(join(workspace, "a/b/c"), "utf8")).toBe("one\n");
    expect(statSync(join(workspace, "run")).mode & 0o777).toBe(0o755);
    expect(statSync(join(workspace, "run")).uid).toBe(process.getuid?.() ?? -1);
    expect(readlinkSync(join(workspace, "inside"))).toBe("a/b");
    await shell.run("echo two >a/b/c; rm run inside");
    expect(readFileSync(join(workspace, "a/b/c"), "utf8")).toBe("two\n");
    expect(existsSync(join(workspace, "run"))).toBe(false);
    await shell.run("rm -r a");
    expect(existsSync(join(workspace, "a"))).toBe(false);
    // The file was created after the cell got its copy, so the cell does not know it.
    expect(readFileSync(join(workspace, "of-a-person"), "utf8")).toBe("later\n");
  }),
);

testHere("what was left running is on the host when the cell closes, and no link out of the workspace is", async () => {
  const home = createCellBrain();
  const { workspace } = home;
  const kept: string[] = [];
  const cell = await backend.open(home.spec);
  using _ = home;
  const shell = await createCellShell(cell, home.spec.agent);
  await shell.run("ln -s /etc/passwd out; ln -s ../../.. up; mkfifo pipe; echo a >a; ln a b");
  for (const name of ["out", "up", "pipe"])
    if (lstatSync(join(workspace, name), { throwIfNoEntry: false })) kept.push(name);
  expect(kept).toEqual([]);
  expect(lstatSync(join(workspace, "b")).nlink).toBe(1);
  await cell.close();
  expect(await cell.exited).toBeUndefined();
});

testHere("a cell has no network except its own loopback", () =>
  within(async (shell) => {
    const { text } = await shell.run("ls /sys/class/net; cat /proc/net/route | wc -l");
    expect(text).toBe("lo\n1");
  }),
);

testHere("a share of a processor is enforced, or the wall is not reported", async () => {
  const limits = { ...DEFAULT_CELL_LIMITS, cpus: 0.25 };
  const without = { open: async () => undefined, holds: new Set<never>(), why: "none" };
  using home = createCellBrain({ limits });
  const unheld = await createQemuBackend({
    clock: createBunClock(),
    log: createFakeLog(),
    random,
    groups: async () => without,
  }).open(home.spec);
  expect([...unheld.walls].sort()).toEqual(["fs", "kernel", "memory", "net", "pids"]);
  await unheld.close();

  await within(async (shell, _, cell) => {
    if (!cell.walls.has("cpu")) return;
    const [usedBefore, before] = [cpuSeconds(cell.pid), performance.now()];
    await shell.run("timeout 3 sh -c 'while :; do :; done'");
    const elapsed = (performance.now() - before) / 1000;
    expect((cpuSeconds(cell.pid) - usedBefore) / elapsed).toBeLessThan(0.25 * 1.3);
  }, createCellBrain({ limits }));
});

/** CPU seconds of a process, in user space and in the kernel. */
const cpuSeconds = (pid = 0): number => {
  const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = after.split(" ").map(Number);
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) / 100;
};

testHere("a killed machine ends with the reason, and its earlier changes are kept", async () => {
  using home = createCellBrain();
  const cell = await backend.open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  await shell.run("echo done >done");
  process.kill(cell.pid ?? 0, "SIGKILL");
  expect(await cell.exited).toContain("SIGKILL");
  expect(readFileSync(join(home.workspace, "done"), "utf8")).toBe("done\n");
  await cell.close();
});

testHere("a machine that is killed while its workspace is copied back reports that", async () => {
  using home = createCellBrain();
  const cell = await backend.open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  const lost = shell.run("for i in $(seq 200); do head -c 256K /dev/urandom >$i; done; sleep 30").catch(String);
  await until(() => existsSync(join(home.workspace, "1")));
  process.kill(cell.pid ?? 0, "SIGKILL");
  expect(await cell.exited).toContain("SIGKILL");
  expect(await lost).toContain("SIGKILL");
  await cell.close();
});

testHere("the end of an inmate ends its machine", async () => {
  using home = createCellBrain();
  const cell = await backend.open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  const lost = await shell.run("kill -9 $PPID").catch(String);
  expect(lost).toContain("the cell has ended");
  expect(await cell.exited).toContain("its machine shut down because its inmate ended");
});

testHere("a workspace that is larger than the cell's disk is refused with words", async () => {
  using home = createCellBrain({ limits: { ...DEFAULT_CELL_LIMITS, ...SMALL } });
  writeFileSync(join(home.workspace, "large"), new Uint8Array(17 * 1024 * 1024));
  const refused = await backend.open(home.spec).catch(String);
  expect(refused).toContain("16 MiB");
});

testHere("nothing of a cell is written into what the next one starts from", async () => {
  await within(async (shell) => void (await shell.run("echo secret >$TMPDIR/secret; echo secret >secret; sync")));
  await within(async (shell) => {
    expect((await shell.run("cat $TMPDIR/secret secret; true")).text).not.toContain("secret\n");
  });
});
