/** `hearth service` with a service manager in memory. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command, Group } from "../command.ts";
import { createFakeInitPrograms, type FakeInitPrograms } from "../fakes/fake-init-programs.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import type { Machine } from "../init/choose.ts";
import { findLauncher } from "../init/this-machine.ts";
import { createOutput } from "../show/output.ts";
import { createInitUnitGroup } from "./init-unit.ts";

let folder: string;
let home: string;
let programs: FakeInitPrograms;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-service-"));
  home = join(folder, ".hearth");
  programs = createFakeInitPrograms();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const uid = process.getuid?.() ?? 0;

interface Call {
  readonly machine?: Partial<Machine>;
  readonly home?: string;
  readonly flags?: Readonly<Record<string, string | boolean>>;
}

/** Runs a verb of the group and returns its exit code and output. */
const service = async (verb: string, call: Call = {}) => {
  const terminal = createFakeTerminal({ sleep: () => Promise.resolve() });
  const group: Group = createInitUnitGroup(() => ({
    platform: "linux",
    env: { HOME: folder },
    uid,
    userName: "alice",
    userFolder: folder,
    hasSystemd: true,
    programs,
    launcher: "/opt/hearth/hearth",
    ...call.machine,
  }));
  const command: Command | undefined = group.verbs[verb];
  if (command === undefined) throw new Error(`no verb ${verb}`);
  const context = {
    terminal,
    output: createOutput(terminal),
    home: call.home ?? home,
    elsewhere: undefined,
    json: false,
    connect: () => Promise.reject(new Error("not used")),
  };
  const code = await command.run(context, { flags: { system: false, ...call.flags }, args: [] });
  return { code, ...terminal.written };
};

/** The files of a running daemon. This process stands for it. */
const startDaemon = async (): Promise<void> => {
  await mkdir(join(home, "run"), { recursive: true });
  for (const [name, text] of [
    ["url", "http://127.0.0.1:1"],
    ["token", "t"],
    ["pid", String(process.pid)],
  ] as const)
    await writeFile(join(home, "run", name), text);
};

/** A daemon that comes up as soon as its manager starts it. */
const startingPrograms = (call: string): FakeInitPrograms => ({
  ...programs,
  async run(argv) {
    if (argv.join(" ").startsWith(call)) await startDaemon();
    return programs.run(argv);
  },
});

test("installs, shows and removes a user service", async () => {
  const machine = { programs: startingPrograms("systemctl --user restart hearth") };
  expect(await service("install", { machine })).toMatchObject({ code: 0, out: "installed hearth: running\n" });
  const shown = await service("status", { machine });
  expect([shown.code, shown.out]).toEqual([0, expect.stringMatching(/state +running/)]);
  expect(shown.out).toContain(join(folder, ".config/systemd/user/hearth.service"));
  expect(await service("uninstall", { machine })).toMatchObject({ code: 0, out: "removed hearth\n" });
  expect(await service("uninstall", { machine })).toMatchObject({ code: 0, out: "hearth is not installed\n" });
  expect(await service("status", { machine })).toMatchObject({
    code: 3,
    out: expect.stringContaining("not installed"),
  });
});

test("the service starts the executable itself, and not a file in the cache", async () => {
  const root = join(import.meta.dir, "../../../..");
  const launcher = findLauncher({ HEARTH_EXECUTABLE: "/opt/hearth-1.0" }, "/opt/hearth-1.0");
  expect(launcher).toBe("/opt/hearth-1.0");
  for (const env of [{}, { HEARTH_EXECUTABLE: "/opt/hearth-0.9" }])
    expect(findLauncher(env, "/opt/hearth-1.0")).toBe(join(root, "hearth"));
  const machine = { programs: startingPrograms("systemctl --user restart hearth"), launcher };
  expect((await service("install", { machine })).code).toBe(0);
  const unit = await readFile(join(folder, ".config/systemd/user/hearth.service"), "utf8");
  expect(unit).toMatch(/^ExecStart="?\/opt\/hearth-1\.0"? /m);
});

test("a house that ends while it starts is a failure with the place of its log", async () => {
  const ending: FakeInitPrograms = {
    ...programs,
    async run(argv) {
      const result = await programs.run(argv);
      if (argv.includes("restart")) programs.end("hearth", 18);
      return result;
    },
  };
  const { code, err } = await service("install", { machine: { programs: ending } });
  expect([code, err]).toEqual([1, expect.stringContaining("hearth service logs")]);
});

test("a house that was started by hand is not started twice", async () => {
  await startDaemon();
  const { code, err } = await service("install");
  expect([code, err]).toEqual([17, expect.stringContaining("hearth stop")]);
  expect(programs.calls.some((call) => call.includes("restart"))).toBe(false);
});

test("an installed service is replaced while it runs", async () => {
  const machine = { programs: startingPrograms("systemctl --user restart hearth") };
  await service("install", { machine });
  expect(await service("install", { machine })).toMatchObject({ code: 0 });
});

test("another home has a separate service", async () => {
  const other = join(folder, "work");
  await mkdir(other);
  const { out } = await service("status", { home: other });
  expect(out).toMatch(/service +hearth-work-[0-9a-f]{8}/);
});

describe("who the house runs as", () => {
  const root = { uid: 0 };
  test("a service of the machine runs as the named user, or as the one who called sudo", async () => {
    for (const [env, flags] of [
      [{ SUDO_USER: "alice" }, {}],
      [{}, { as: "alice" }],
    ] as const) {
      const { out } = await service("status", { machine: { ...root, env }, flags: { system: true, ...flags } });
      expect(out).toMatch(/service +hearth-alice\n[^]*home +\/home\/alice\/\.hearth\n/);
    }
  });

  test.each([
    ["no user is named", { machine: { ...root, env: {} }, flags: { system: true } }, "Name one: --as USER"],
    ["the user is unknown", { machine: root, flags: { system: true, as: "bob" } }, "useradd --create-home bob"],
    ["a user service names another user", { flags: { as: "alice" } }, "A user service runs as you."],
    ["the caller is not root", { machine: { uid: 1000 }, flags: { system: true } }, "sudo"],
    ["the machine has no systemd", { machine: { ...root, hasSystemd: false }, flags: { system: true } }, "--system"],
    ["there is no service manager", { machine: { hasSystemd: false } }, "hearth up --supervised"],
  ] as const)("is refused when %s", (_, call, hint) => {
    expect(service("install", call)).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });

  test("a home of another user is refused", async () => {
    await mkdir(home);
    await chmod(home, 0o700);
    const install = service("install", { machine: { uid: uid + 1 } });
    expect(install).rejects.toThrow(`${home} does not belong to alice`);
    await install.catch(() => undefined);
    expect(programs.calls).toEqual([]);
  });
});

test("each kind of machine has its manager", async () => {
  const kindOf = async (machine: Partial<Machine>): Promise<string | undefined> =>
    /manager +(\S+)/.exec((await service("status", { machine })).out)?.[1];
  expect(await kindOf({})).toBe("systemd-user");
  expect(await kindOf({ platform: "darwin", hasSystemd: false })).toBe("launchd");
  expect(await kindOf({ hasSystemd: false, env: { WSL_DISTRO_NAME: "Debian" } })).toBe("task-scheduler");
});
