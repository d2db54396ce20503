import { afterAll, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { dlopen, FFIType } from "bun:ffi";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { found, until } from "@hearth/protocol/until";
import { backendConformance } from "../../../cells/backend.conformance.ts";
import { type CellBrain, createCellBrain } from "../../../fixtures/cell-brain.ts";
import { type CellShell, createCellShell } from "../../../fixtures/cell-shell.ts";
import { createForkChain } from "../../../fixtures/fork-chain.ts";
import { childrenOf } from "../../../fixtures/processes.ts";
import { createBubblewrapBackend } from "./bubblewrap.ts";
import { isFirstInside } from "./first-inside.ts";
import { createInmateProgram } from "./inmate-program.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";

const folder = `${tmpdir()}/hearth-bubblewrap-${process.pid}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const backend = createBubblewrapBackend({
  program: createInmateProgram(folder),
  clock: createBunClock(),
  log: createFakeLog(),
  folder,
});
const { ok, why } = await backend.probe();
const testHere = ok ? test : test.skip;

test("cells work wherever bubblewrap works", async () => {
  const works = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"];
  if (Bun.which("bwrap") === null || Bun.spawnSync(works, { stdio: ["ignore", "ignore", "ignore"] }).exitCode !== 0)
    return;
  expect({ ok, why }).toMatchObject({ ok: true });
});

if (ok) backendConformance("bubblewrap", () => backend);
else test.skip(`bubblewrap: ${why}`, () => {});

const within = async (work: (shell: CellShell, home: CellBrain) => Promise<void>): Promise<void> => {
  using home = createCellBrain();
  const cell = await backend.open(home.spec);
  try {
    await work(await createCellShell(cell, home.spec.agent), home);
  } finally {
    await cell.close();
  }
};

testHere("a folder that is swapped for a link while its cell is created is not mounted as the workspace", async () => {
  using home = createCellBrain();
  const workspace = join(home.workspace, "rooms");
  mkdirSync(workspace);
  const swapping = createBubblewrapBackend({
    ...{ program: createInmateProgram(folder), clock: createBunClock(), log: createFakeLog(), folder },
    groups: async () => ({
      async open() {
        renameSync(workspace, `${workspace}-kept`);
        symlinkSync(join(home.brain, "db"), workspace);
        return undefined;
      },
      holds: new Set<never>(),
    }),
  });
  const cell = await swapping.open({ ...home.spec, workspace });
  expect(await Array.fromAsync(cell.link.frames)).toEqual([]);
  expect(await cell.exited).toContain("a part of the path is missing, a link or a file, or was replaced");
});

testHere("the first process's arguments and environment reveal nothing about the host", () =>
  within(async (shell, home) => {
    const { text } = await shell.run("tr '\\0' ' ' </proc/1/environ; tr '\\0' ' ' </proc/1/cmdline");
    expect(text).not.toContain("=");
    expect(text).toContain("/run/hearth/inmate/main.js /mnt/brain/workspace");
    for (const path of [home.brain, process.execPath, folder, process.cwd()]) expect(text).not.toContain(path);
  }),
);

testHere("a cell runs as a separate user without capabilities, and its files belong to the daemon's user", () =>
  within(async (shell, home) => {
    const { text } = await shell.run("id; whoami; pwd; echo $HOME; grep Cap /proc/self/status; echo made >made");
    expect(text).toContain("uid=1000(agent) gid=1000(agent)");
    expect(text.match(/^Cap\w+:\t(\d+)$/gm)?.map((line) => line.replace(/.*\t0+$/, "none"))).toEqual(
      Array(5).fill("none"),
    );
    expect(text).toContain("agent\n/mnt/brain/workspace\n/mnt/brain/workspace\n");
    expect(statSync(join(home.workspace, "made")).uid).toBe(process.getuid?.() ?? -1);
  }),
);

testHere("a cell inherits no open file of the daemon", async () => {
  const { symbols } = dlopen("libc.so.6", { dup: { args: [FFIType.i32], returns: FFIType.i32 } });
  const own = openSync("/etc/hostname", "r");
  // Unlike files that the runtime opens, this one survives an exec.
  const kept = symbols.dup(own);
  try {
    await within(async (shell) => {
      const { text } = await shell.run(
        "ls -l /proc/self/fd /proc/1/fd; for each in /proc/[0-9]*/fd; do ls -l $each; done",
      );
      expect(text).toContain("/proc/self/fd");
      expect(text).not.toContain("hostname");
      expect(text).not.toContain(folder);
    });
  } finally {
    closeSync(kept);
    closeSync(own);
  }
});

testHere("a cell sees the brain without its hidden names, also those created later", async () => {
  using home = createCellBrain({ hidden: ["db", "later", ".agent"] });
  writeFileSync(join(home.brain, ".agent"), "id\n");
  const cell = await backend.open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  writeFileSync(join(home.brain, "later", "secret"), "later\n");
  writeFileSync(join(home.brain, "SOUL.md.new"), "kinder\n");
  await Bun.$`mv ${join(home.brain, "SOUL.md.new")} ${join(home.brain, "SOUL.md")}`.quiet();
  const { text } = await shell.run("cd ..; cat SOUL.md .agent 2>&1; ls db later; ls");
  await cell.close();
  expect(text.split("\n").filter((line) => !line.startsWith("["))).toEqual([
    "kinder",
    "cat: .agent: Permission denied",
    "db:",
    "",
    "later:",
    "SOUL.md",
    "db",
    "later",
    "workspace",
  ]);
});

testHere("a workspace outside the brain is mounted inside it", async () => {
  using home = createCellBrain();
  using elsewhere = createCellBrain();
  rmSync(home.workspace, { recursive: true });
  const cell = await backend.open({ ...home.spec, workspace: elsewhere.workspace });
  const shell = await createCellShell(cell, home.spec.agent);
  expect((await shell.run("cat ../SOUL.md; echo made >made; ls")).text).toBe("kind\nmade");
  await cell.close();
  expect(readdirSync(elsewhere.workspace)).toEqual(["made"]);
  expect(readdirSync(home.workspace)).toEqual([]);
});

testHere("/tmp, /dev/shm and the root itself have an end", () =>
  within(async (shell) => {
    const { text } = await shell.run(
      "df -k --output=size,target /tmp /dev/shm; touch /x /dev/x /run/hearth/x /etc/x /var/x 2>&1; cd /tmp; touch x /dev/shm/x",
    );
    expect(text.match(/^ *524288 \/tmp$/m) && text.match(/^ *65536 \/dev\/shm$/m)).toBeTruthy();
    expect(text.match(/Read-only file system/g)).toHaveLength(5);
  }),
);

testHere("common programs run in a cell", () =>
  within(async (shell) => {
    const { text, failed } = await shell.run(
      "git init -q project && cd project && echo text >file && git add file && git -c user.name=a -c user.email=b commit -qm first && git log --format=%s; perl -e 'print 6*7'; /run/hearth/bun -e 'console.log(new Date(0).toISOString())'",
    );
    expect({ failed, text }).toEqual({
      failed: false,
      text: expect.stringMatching(/first\n421970-01-01T00:00:00.000Z/) as never,
    });
  }),
);

testHere("closing a cell leaves nothing on the host", async () => {
  const before = readdirSync(folder).toSorted();
  await within(async () => {});
  expect(readdirSync(folder).toSorted()).toEqual(before);
  for (const line of readFileSync("/proc/self/cgroup", "utf8").split("\n")) {
    const [, name, path] = line.split(":");
    const at = `/sys/fs/cgroup/${name}${path}`;
    if (name && existsSync(at))
      expect(readdirSync(at).filter((each) => each.startsWith(`hearth-${process.pid}-`))).toEqual([]);
  }
});

/** Cells whose only control group has this door file. */
const createBackendBehind = (door: string) =>
  createBubblewrapBackend({
    ...{ program: createInmateProgram(folder), clock: createBunClock(), log: createFakeLog(), folder },
    groups: async () => ({
      holds: new Set(),
      open: async () => ({
        ...{ processFiles: [door], holds: new Set() },
        members: async () => [],
        report: async () => undefined,
        end: async () => undefined,
      }),
    }),
  });

testHere("an inmate starts only after it was put into the cell's control groups", async () => {
  using home = createCellBrain();
  const door = join(home.brain, "door");
  await Bun.$`mkfifo ${door}`;
  // The pipe is full, so a writer has to wait.
  const end = openSync(door, "r+");
  writeSync(end, new Uint8Array(65_536));
  const cell = await createBackendBehind(door).open(home.spec);
  try {
    const first = await found(() => childrenOf(cell.pid ?? 0).find(isFirstInside));
    // "read", by its numbers on x64 and arm64, from the sixth descriptor.
    await until(() => {
      expect(childrenOf(first)).toEqual([]);
      return /^(0|63) 0x6 /.test(readFileSync(`/proc/${first}/syscall`, "utf8"));
    });
    expect(readSync(end, new Uint8Array(65_536))).toBe(65_536);
    const shell = await createCellShell(cell, home.spec.agent);
    expect((await shell.run("echo here")).text).toBe("here");
    const told = new Uint8Array(100);
    expect(Buffer.from(told.subarray(0, readSync(end, told))).toString()).toBe(String(first));
  } finally {
    closeSync(end);
    await cell.close();
  }
});

testHere("an inmate that cannot be put into its groups ends before its first frame", async () => {
  using home = createCellBrain();
  const cell = await createBackendBehind(join(home.brain, "nowhere")).open(home.spec);
  expect((await cell.link.frames[Symbol.asyncIterator]().next()).done).toBe(true);
  expect(await cell.exited).toContain("control groups");
});

testHere("what forks all the time ends with the cell", async () => {
  for (const isKilled of [false, true]) {
    using home = createCellBrain();
    const chain = await createForkChain(home.workspace);
    const cell = await backend.open(home.spec);
    const shell = await createCellShell(cell, home.spec.agent);
    await shell.run(chain.command);
    await chain.begun();
    if (isKilled) process.kill(cell.pid ?? 0, "SIGKILL");
    await cell.close();
    expect(await chain.ended()).toBe(true);
  }
});

test("without bubblewrap the probe says how to install it", async () => {
  const path = process.env["PATH"];
  process.env["PATH"] = "/nowhere";
  try {
    expect(await backend.probe()).toMatchObject({
      ok: false,
      why: expect.stringContaining("apt-get install bubblewrap"),
    });
  } finally {
    process.env["PATH"] = path;
  }
});
