import { afterAll, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { dlopen, FFIType } from "bun:ffi";
import { readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { backendConformance } from "../../../cells/backend.conformance.ts";
import { type CellBrain, createCellBrain } from "../../../fixtures/cell-brain.ts";
import { type CellShell, createCellShell } from "../../../fixtures/cell-shell.ts";
import { createForkChain } from "../../../fixtures/fork-chain.ts";
import { childrenOf, findRunning, isAlive, readCommand } from "../../../fixtures/processes.ts";
import { createInmateProgram } from "./inmate-program.ts";
import { createLandlockBackend } from "./landlock.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";

const folder = `${tmpdir()}/hearth-landlock-${process.pid}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const backend = createLandlockBackend({
  program: createInmateProgram(folder),
  clock: createBunClock(),
  log: createFakeLog(),
});
const { ok, why } = await backend.probe();
const testHere = ok ? test : test.skip;

test("cells work with a recent Landlock, and otherwise the probe reports what is missing", () => {
  const long = FFIType.i64;
  const { symbols } = dlopen("libc.so.6", { syscall: { args: [long, long, long, long], returns: long } });
  const version = Number(symbols.syscall(444, 0, 0, 1));
  if (version >= 6) expect({ ok, why }).toMatchObject({ ok: true });
  else expect(why).toContain("Linux 6.12");
});

if (ok) backendConformance("landlock", () => backend);
else test.skip(`landlock: ${why}`, () => {});

const within = async (work: (shell: CellShell, home: CellBrain) => Promise<void>): Promise<void> => {
  using home = createCellBrain();
  writeFileSync(join(home.brain, "SOUL.md"), "kind\n");
  const cell = await backend.open(home.spec);
  try {
    await work(await createCellShell(cell, home.spec.agent), home);
  } finally {
    await cell.close();
  }
};

testHere("a cell reads its brain except hidden names, and nothing else of the host", () =>
  within(async (shell, home) => {
    const { text } = await shell.run(
      "cat ../SOUL.md; cat ../db/index; ls ../db; ls /; ls /tmp; cat /etc/passwd; ls /proc",
    );
    expect(text).toStartWith("kind\n");
    expect(text.match(/Permission denied/g)).toHaveLength(6);
    expect(text).not.toContain(home.brain.slice(5));
  }),
);

const ungrouped = createLandlockBackend({
  ...{ program: createInmateProgram(folder), clock: createBunClock(), log: createFakeLog() },
  groups: async () => ({ open: async () => undefined, holds: new Set<never>(), why: "none" }),
});
/** A process that left its group, session, environment and parent, and ignores signals. */
const HIDDEN = `env -i setsid sh -c 'trap "" TERM HUP INT; setsid tail -qF`;

testHere(
  "without a control group, what left its group, its session and its environment ends with the cell",
  async () => {
    for (const isKilled of [false, true]) {
      using home = createCellBrain();
      const mark = crypto.randomUUID();
      const cell = await ungrouped.open(home.spec);
      const shell = await createCellShell(cell, home.spec.agent);
      await shell.run(`${HIDDEN} ${mark} & sleep 0.2'`);
      expect(findRunning(mark)).not.toEqual([]);
      if (isKilled) process.kill(cell.pid ?? 0, "SIGKILL");
      await cell.close();
      expect(findRunning(mark)).toEqual([]);
    }
  },
);

testHere("without a control group, what forks all the time ends with the cell", async () => {
  for (const isKilled of [false, true]) {
    using home = createCellBrain();
    const chain = await createForkChain(home.workspace);
    const cell = await ungrouped.open(home.spec);
    const shell = await createCellShell(cell, home.spec.agent);
    await shell.run(chain.command);
    await chain.begun();
    if (isKilled) process.kill(cell.pid ?? 0, "SIGKILL");
    await cell.close();
    expect(await chain.ended()).toBe(true);
  }
});

testHere("the reaper of a cell cannot be killed from inside, and ends with the cell", async () => {
  using home = createCellBrain();
  const cell = await ungrouped.open(home.spec);
  const shell = await createCellShell(cell, home.spec.agent);
  const [reaper = 0, ...others] = childrenOf(cell.pid ?? 0).filter((pid) => readCommand(pid).includes("KILL"));
  expect(others).toEqual([]);
  const { text } = await shell.run(`kill -KILL ${reaper}; kill -STOP ${reaper}; prlimit --pid ${reaper} --cpu=1`);
  expect(text.match(/not permitted/g)).toHaveLength(3);
  expect(isAlive(reaper)).toBe(true);
  await cell.close();
  // It has closed its end of the tether, nearly its last action.
  await until(() => !isAlive(reaper));
});

testHere("a folder that is swapped for a link while its cell is created is not used as the workspace", async () => {
  using home = createCellBrain();
  const swapping = createLandlockBackend({
    ...{ program: createInmateProgram(folder), clock: createBunClock(), log: createFakeLog() },
    groups: async () => ({
      async open() {
        renameSync(home.workspace, `${home.workspace}-kept`);
        symlinkSync(join(home.brain, "db"), home.workspace);
        return undefined;
      },
      holds: new Set<never>(),
    }),
  });
  const cell = await swapping.open(home.spec);
  expect(await Array.fromAsync(cell.link.frames)).toEqual([]);
  expect(await cell.exited).toContain("the workspace's path leads to another folder");
});

testHere("temporary files have a separate folder, which is removed with the cell", async () => {
  let temporary = "";
  await within(async (shell) => {
    const { text, failed } = await shell.run('echo text >"$TMPDIR/file" && cat "$TMPDIR/file" && echo $TMPDIR');
    expect(failed).toBe(false);
    temporary = text.split("\n")[1] ?? "";
    expect(readdirSync(temporary)).toEqual(["file"]);
  });
  expect(() => statSync(temporary)).toThrow();
});

testHere("a cell has no capabilities, even as root, and its files belong to the daemon's user", () =>
  within(async (shell, home) => {
    // `capget`, of the process itself.
    const { text } = await shell.run(
      `perl -e 'my ($head, $data) = (pack("Ii", 0x20080522, 0), "\\0" x 24); syscall(${process.arch === "x64" ? 125 : 90}, $head, $data); print unpack("H*", $data), "\\n"'; echo made >made`,
    );
    expect(text).toBe("0".repeat(48));
    expect(statSync(join(home.workspace, "made")).uid).toBe(process.getuid?.() ?? -1);
  }),
);

testHere("common programs run in a cell", () =>
  within(async (shell) => {
    const { text, failed } = await shell.run(
      "git init -q project && cd project && echo text >file && git add file && git -c user.name=a -c user.email=b commit -qm first && git log --format=%s; perl -e 'print 6*7'",
    );
    expect({ failed, text }).toEqual({ failed: false, text: expect.stringContaining("first\n42") as never });
  }),
);
