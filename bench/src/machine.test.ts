import { expect, test } from "bun:test";
import {
  cpuOf,
  hasProc,
  parseBusy,
  parseOwn,
  parsePss,
  parseSplit,
  parseStat,
  pssAloneOf,
  pssOf,
  readWork,
  shareOfOthers,
  treeOf,
} from "./machine.ts";

const stat = "4242 (a) name ( of) S 17 4242 4242 0 -1 4194304 100 0 0 0 150 25 40 2 20 0 5 0 999 1000000 500";

test("a process name may contain parentheses and spaces", () => {
  expect(parseStat(stat)).toEqual({ parent: 17, cpuMs: 1750, endedCpuMs: 420 });
});

test("busy time excludes idle and I/O wait", () => {
  expect(parseBusy("cpu  100 20 30 9000 800 4 5 6 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n")).toBe(1650);
});

test("Pss is the total of the rollup in MiB", () => {
  const rollup = "00400000-7fff [rollup]\nRss:   90000 kB\nPss:   51200 kB\nPss_Dirty:  1 kB\nPss_Anon:  2 kB\n";
  expect(parsePss(rollup)).toBe(50);
  expect(() => parsePss("Rss: 1 kB\n")).toThrow("no Pss");
});

test("`parseOwn` returns anonymous memory", () => {
  expect(parseOwn("Pss:   51200 kB\nPss_Anon:  2048 kB\nPss_File:  1024 kB\n")).toBe(2);
  expect(() => parseOwn("Pss:   51200 kB\n")).toThrow("no Pss_Anon");
});

test("pages of the runtime's file count in full, others by share", () => {
  const smaps = [
    "00200000-04000000 r-xp 00000000 fe:00 12345    /opt/bun dir/bun",
    "Rss:   40960 kB\nPss:   10240 kB\nPss_Dirty:  4 kB",
    "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 ",
    "Rss:   4096 kB\nPss:   2048 kB",
  ].join("\n");
  expect(parseSplit(smaps, "/opt/bun dir/bun")).toEqual({ fileMib: 40, otherMib: 2 });
  expect(parseSplit(smaps, "/opt/other")).toEqual({ fileMib: 0, otherMib: 12 });
});

test.if(hasProc)("alone, a process has at least its PSS", async () => {
  expect(await pssAloneOf([process.pid])).toBeGreaterThanOrEqual(await pssOf([process.pid]));
});

test.if(hasProc)("the tree of a process contains its grandchildren, with their memory", async () => {
  const child = Bun.spawn(["sh", "-c", "sh -c 'echo $$; read never; :'; :"], { stdin: "pipe", stdout: "pipe" });
  try {
    const { value } = await child.stdout.getReader().read();
    const grandchild = Number(new TextDecoder().decode(value));
    const tree = await treeOf(child.pid);
    expect(tree).toEqual([child.pid, grandchild]);
    expect(await treeOf(process.pid)).toContain(grandchild);
    expect(await pssOf(tree)).toBeGreaterThan(await pssOf([child.pid]));
    expect(await cpuOf([process.pid])).toBeGreaterThan(0);
  } finally {
    await child.stdin.end();
    await child.exited;
  }
});

test("the share of others is the busy time minus our own", () => {
  const begin = { atMs: 1000, busyMs: 50_000, ownMs: 700 };
  expect(shareOfOthers(begin, { atMs: 2000, busyMs: 51_500, ownMs: 1200 }, 2)).toBe(0.5);
  // Both values are rounded to ticks, so our own can slightly exceed the total.
  expect(shareOfOthers(begin, { atMs: 2000, busyMs: 50_490, ownMs: 1200 }, 2)).toBe(0);
});

test.if(hasProc)("the CPU time of an ended child counts as our own", async () => {
  const before = await readWork();
  const { exitCode, resourceUsage } = Bun.spawnSync(["sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]);
  expect(exitCode).toBe(0);
  const after = await readWork();
  // Ticks of 10 ms, rounded down twice.
  expect(after.ownMs - before.ownMs).toBeGreaterThan(Number(resourceUsage.cpuTime.total) / 1000 - 25);
  expect(after.busyMs).toBeGreaterThan(before.busyMs);
});
