import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, DEFAULT_CELL_LIMITS, isHearthError } from "@hearth/protocol";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { until } from "@hearth/protocol/until";
import { isAlive } from "../../../fixtures/processes.ts";
import { createCellGroups } from "./cgroup.ts";

const limits = { ...DEFAULT_CELL_LIMITS, memoryMiB: 300, processes: 40, cpus: 1.5 };

/**
 * Plain folders that simulate the kernel's. The kernel removes a group with its files; a disk needs
 * an explicit removal.
 */
const within = async (work: (root: string, clock: Clock) => Promise<void>): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), "hearth-groups-"));
  const clock: Clock = {
    ...createBunClock(),
    async sleep() {
      for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }))
        if (/hearth-\d+-\d+\/[a-z.]+$/.test(name)) rmSync(join(root, name), { recursive: true, force: true });
    },
  };
  try {
    await work(root, clock);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

/** A house with process id 7, whose groups all have one name. */
const processSeven = { pid: 7, newName: () => "1" };

const version2Mount = (root: string): string =>
  `30 20 0:26 / ${root} rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n`;
const version1Mount = (root: string, name: string): string =>
  `31 20 0:27 / ${root}/${name} rw - cgroup cgroup rw,${name}\n`;
const file = (...parts: readonly string[]): string => readFileSync(join(...parts), "utf8");

const makeVersion2 = (root: string, controllers: string, members: readonly number[] = []): string => {
  const own = join(root, "user/house");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "cgroup.controllers"), `${controllers}\n`);
  writeFileSync(join(own, "cgroup.subtree_control"), "");
  writeFileSync(join(own, "cgroup.procs"), members.map((pid) => `${pid}\n`).join(""));
  return own;
};

describe("version 2", () => {
  const own = "0::/user/house\n";

  test("a cell has a group below the house's own, with its limits", () =>
    within(async (root, clock) => {
      const house = makeVersion2(root, "cpu io memory pids", [7]);
      const groups = await createCellGroups({ clock, mountinfo: version2Mount(root), own, ...processSeven });
      expect([...groups.holds].sort()).toEqual(["cpu", "memory", "pids"]);
      expect(file(house, "cgroup.subtree_control")).toBe("+memory +pids +cpu");
      const group = await groups.open(limits);
      expect(group?.processFiles).toEqual([join(house, "hearth-7-1/cgroup.procs")]);
      const folder = join(house, "hearth-7-1");
      expect([file(folder, "memory.max"), file(folder, "pids.max"), file(folder, "cpu.max")]).toEqual([
        String(300 * 1024 * 1024),
        "40",
        "150000 100000",
      ]);
      writeFileSync(join(folder, "cgroup.procs"), "");
      await group?.end();
      expect(readdirSync(house)).not.toContain("hearth-7-1");
    }));

  test("the report names a reached limit: memory first, then processes, and nothing otherwise", () =>
    within(async (root, clock) => {
      const house = makeVersion2(root, "cpu memory pids");
      const group = await (
        await createCellGroups({ clock, mountinfo: version2Mount(root), own, ...processSeven })
      ).open(limits);
      const folder = join(house, "hearth-7-1");
      expect(await group?.report()).toBeUndefined();
      writeFileSync(join(folder, "memory.events"), "low 0\noom 3\noom_kill 0\n");
      writeFileSync(join(folder, "pids.events"), "max 4\n");
      expect(await group?.report()).toBe("it used up its 40 processes");
      writeFileSync(join(folder, "memory.events"), "low 0\noom 3\noom_kill 2\n");
      expect(await group?.report()).toBe("it used up its 300 MiB of memory");
    }));

  test("a group for the processor only counts nothing else, and is undefined when the processor cannot be counted", () =>
    within(async (root, clock) => {
      const house = makeVersion2(root, "cpu memory pids");
      const group = await (
        await createCellGroups({ clock, mountinfo: version2Mount(root), own, ...processSeven })
      ).open(limits, ["cpu"]);
      expect([...(group?.holds ?? [])]).toEqual(["cpu"]);
      expect(readdirSync(join(house, "hearth-7-1"))).toEqual(["cpu.max"]);
      writeFileSync(join(house, "cgroup.controllers"), "memory pids\n");
      const without = await createCellGroups({ clock, mountinfo: version2Mount(root), own, ...processSeven });
      expect(await without.open(limits, ["cpu"])).toBeUndefined();
    }));

  test("a group that cannot be configured is refused with the reason and removed", () =>
    within(async (root, clock) => {
      const house = makeVersion2(root, "cpu memory pids");
      const groups = await createCellGroups({ clock, mountinfo: version2Mount(root), own, ...processSeven });
      mkdirSync(join(house, "hearth-7-1"));
      // Simulates a kernel that refuses the value.
      mkdirSync(join(house, "hearth-7-1/pids.max"));
      const refusal = await groups.open(limits).catch((error: unknown) => error);
      expect(isHearthError(refusal, "cell.unavailable") && refusal.message).toContain("control group");
      expect(readdirSync(house)).not.toContain("hearth-7-1");
    }));

  test("without memory or process control there is no group, but a reason and what to do", () =>
    within(async (root, clock) => {
      makeVersion2(root, "cpu");
      const groups = await createCellGroups({ clock, mountinfo: version2Mount(root), own, ...processSeven });
      expect({ holds: groups.holds.size, why: groups.why, group: await groups.open(limits) }).toEqual({
        holds: 0,
        group: undefined,
        why: expect.stringContaining("Delegate=yes") as never,
      });
    }));

  test("groups of a house that has ended are removed, and those of a running house are kept", () =>
    within(async (root, clock) => {
      const house = makeVersion2(root, "memory pids");
      for (const name of ["hearth-999999999-3", `hearth-${process.pid}-4`, "other"]) mkdirSync(join(house, name));
      await createCellGroups({ clock, mountinfo: version2Mount(root), own, ...processSeven });
      expect(readdirSync(house)).toEqual(expect.arrayContaining([`hearth-${process.pid}-4`, "other"]));
      expect(readdirSync(house)).not.toContain("hearth-999999999-3");
    }));
});

describe("version 1", () => {
  test("a cell has a group in each hierarchy in which the house can create groups", () =>
    within(async (root, clock) => {
      for (const name of ["memory/house", "pids"]) mkdirSync(join(root, name), { recursive: true });
      const groups = await createCellGroups({
        ...{
          clock,
          ...processSeven,
          mountinfo: `${version1Mount(root, "memory")}${version1Mount(root, "pids")}${version1Mount(root, "cpu")}`,
        },
        own: "4:memory:/house\n3:pids:/\n2:cpu:/\n",
      });
      expect([...groups.holds].sort()).toEqual(["memory", "pids"]);
      const group = await groups.open(limits);
      expect(group?.processFiles.map((door) => door.slice(root.length))).toEqual([
        "/memory/house/hearth-7-1/cgroup.procs",
        "/pids/hearth-7-1/cgroup.procs",
      ]);
      expect(file(root, "memory/house/hearth-7-1/memory.limit_in_bytes")).toBe(String(300 * 1024 * 1024));
      expect(file(root, "pids/hearth-7-1/pids.max")).toBe("40");
    }));
});

const groups = await createCellGroups({ clock: createBunClock() });
const testHere = groups.holds.has("pids") ? test : test.skip;

testHere(
  "on this machine, ending a group ends its processes, also in another session, and leaves no folder",
  async () => {
    const group = await groups.open(limits);
    const [door = ""] = group?.processFiles ?? [];
    const child = Bun.spawn(["/bin/sh", "-c", `echo $$ >"${door}" && exec setsid sleep 600`], {
      env: {},
      stdio: ["ignore", "ignore", "ignore"],
    });
    const isIn = (): boolean => file(door).includes(`${child.pid}\n`);
    await until(() => isIn());
    await group?.end();
    expect(isAlive(child.pid)).toBe(false);
    expect(() => file(door)).toThrow();
  },
);

test("two backends that share a folder have separate groups", async () => {
  const clock = createBunClock();
  const [firstGroups, secondGroups] = await Promise.all([createCellGroups({ clock }), createCellGroups({ clock })]);
  const [first, second] = await Promise.all([firstGroups.open(limits), secondGroups.open(limits)]);
  expect(first?.processFiles.filter((door) => second?.processFiles.includes(door) === true) ?? []).toEqual([]);
  await Promise.all([first?.end(), second?.end()]);
});
