/** The contract of `InitSystem`, for every manager, and what their definitions say. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeInitPrograms } from "../fakes/fake-init-programs.ts";
import { createLaunchd } from "./launchd.ts";
import { type Programs, type InitSystem, type UnitSpec, toUnitName } from "./init-system.ts";
import { createSystemd } from "./systemd.ts";
import { createWatchedCommand } from "./watched-command.ts";
import { createWsl } from "./wsl.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-service-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const MANAGERS: Readonly<Record<InitSystem["kind"], (programs: Programs) => InitSystem>> = {
  "systemd-user": (programs) => createSystemd({ programs, folder, system: false }),
  "systemd-system": (programs) => createSystemd({ programs, folder, system: true }),
  launchd: (programs) => createLaunchd({ programs, userFolder: folder, uid: 501 }),
  "task-scheduler": (programs) => createWsl({ programs, userFolder: folder, distribution: "Debian" }),
};

const spec: UnitSpec = {
  name: "hearth",
  program: "/opt/he arth/hearth",
  home: `/home/al"ice/50%/$HOME/it's & <b>\\`,
  path: "/usr/bin:/bin",
  user: "alice",
};

/** The text of the one definition in the folder. */
const readDefinition = async (): Promise<string> => {
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(service|plist|xml)$/.test(name));
  expect(files).toHaveLength(1);
  const bytes = await readFile(join(folder, files[0] ?? ""));
  return bytes[0] === 0xff ? bytes.toString("utf16le") : bytes.toString();
};

describe.each(Object.entries(MANAGERS))("%s", (kind, create) => {
  test("has its kind, and knows no service before one is installed", async () => {
    const manager = create(createFakeInitPrograms());
    expect(manager.kind).toBe(kind as InitSystem["kind"]);
    expect(await manager.status("hearth")).toEqual({ state: "not installed" });
    expect(await manager.uninstall("hearth")).toBe(false);
  });

  test("installs, replaces and uninstalls a service", async () => {
    const manager = create(createFakeInitPrograms());
    await manager.install(spec);
    const first = await manager.status("hearth");
    expect(first).toMatchObject({ state: "running", file: expect.stringContaining(folder) });
    await manager.install({ ...spec, path: "/opt/bin" });
    expect(await readDefinition()).toContain("/opt/bin");
    expect(await manager.status("hearth")).toEqual(first);
    expect(await manager.uninstall("hearth")).toBe(true);
    expect(await manager.status("hearth")).toEqual({ state: "not installed" });
    expect((await readdir(folder, { recursive: true })).filter((name) => name.includes("hearth."))).toEqual([]);
  });

  test("reports a stopped house as stopped", async () => {
    const programs = createFakeInitPrograms();
    const manager = create(programs);
    await manager.install(spec);
    programs.end("hearth", 0);
    expect(await manager.status("hearth")).toMatchObject({ state: "stopped" });
  });

  test("reports a refusal with the program's own message, and keeps the definition", async () => {
    const programs = createFakeInitPrograms();
    const last = { launchd: "launchctl bootstrap", "task-scheduler": "schtasks.exe /Create" }[kind] ?? "systemctl";
    programs.refuse(last, "Access denied");
    const refused = create(programs).install(spec);
    expect(refused).rejects.toMatchObject({
      code: "service.failed",
      message: expect.stringContaining("Access denied"),
    });
    await refused.catch(() => undefined);
    expect(await readDefinition()).toContain("--supervised");
  });

  test("shows the last lines of the log, and follows it", () => {
    const manager = create(createFakeInitPrograms());
    const [program, ...once] = manager.logs("hearth", { lines: 7, follow: false });
    expect(["journalctl", "tail"]).toContain(program ?? "");
    expect(once.join(" ")).toMatch(/-n 7|--lines=7/);
    const following = manager.logs("hearth", { lines: 7, follow: true });
    expect(following.some((word) => word === "-F" || word === "--follow")).toBe(true);
  });
});

test("a failure is reported as `failed` where the init system knows the exit code", async () => {
  for (const kind of ["systemd-user", "systemd-system", "launchd"] as const) {
    const programs = createFakeInitPrograms();
    const manager = MANAGERS[kind](programs);
    await manager.install(spec);
    programs.end("hearth", 1);
    expect([kind, (await manager.status("hearth")).state]).toEqual([kind, "failed"]);
  }
});

test("a service of the user starts at boot, or the user learns how to allow it", async () => {
  const programs = createFakeInitPrograms();
  expect(await MANAGERS["systemd-user"](programs).install(spec)).toEqual([]);
  expect(programs.calls).toContain("loginctl enable-linger alice");
  programs.refuse("loginctl", "Access denied");
  const notes = await MANAGERS["systemd-user"](programs).install(spec);
  expect(notes.join(" ")).toContain("sudo loginctl enable-linger alice");
});

test("a user without a session learns how to reach the user's manager", () => {
  const programs = createFakeInitPrograms();
  programs.refuse("systemctl", "Failed to connect to bus: No such file or directory");
  expect(MANAGERS["systemd-user"](programs).status("hearth")).rejects.toMatchObject({
    hint: expect.stringContaining("--system"),
  });
});

describe("the definition keeps every character of the home's path", () => {
  test("for systemd", async () => {
    await MANAGERS["systemd-user"](createFakeInitPrograms()).install(spec);
    expect(await readDefinition()).toContain(
      String.raw`ExecStart="/opt/he arth/hearth" up --supervised --home "/home/al\"ice/50%%/$$HOME/it's & <b>\\"`,
    );
  });

  const python = Bun.which("python3");
  const withPython = async (code: string): Promise<unknown> => {
    const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(plist|xml)$/.test(name));
    const child = Bun.spawnSync([python ?? "", "-c", code, join(folder, files[0] ?? "")]);
    expect(child.stderr.toString()).toBe("");
    return JSON.parse(child.stdout.toString());
  };
  const title = (text: string) => (python === null ? `${text} (skipped: Python is not installed)` : text);

  test.skipIf(python === null)(title("for launchd, as a reader of property lists sees it"), async () => {
    await MANAGERS.launchd(createFakeInitPrograms()).install(spec);
    const read = "import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],'rb'))))";
    expect(await withPython(read)).toMatchObject({
      Label: "hearth",
      ProgramArguments: createWatchedCommand(`${spec.home}/run/url`, [
        ...[spec.program, "up", "--supervised", "--home", spec.home],
      ]),
      KeepAlive: { SuccessfulExit: false },
      RunAtLoad: true,
    });
  });

  test.skipIf(python === null)(title("for the Task Scheduler, through Windows and the shell"), async () => {
    await MANAGERS["task-scheduler"](createFakeInitPrograms()).install({ ...spec, program: "/bin/echo" });
    const read = [
      "import json,sys,xml.etree.ElementTree as e",
      "t=e.parse(sys.argv[1]).getroot(); n='{http://schemas.microsoft.com/windows/2004/02/mit/task}'",
      "print(json.dumps([t.find(f'.//{n}Command').text,t.find(f'.//{n}Arguments').text]))",
    ].join("\n");
    const [command, line] = (await withPython(read)) as [string, string];
    expect(command).toBe("wsl.exe");
    // The rules of CommandLineToArgvW for this line: backslashes escape only before a double quote.
    const script = /-c "(.*)"$/s
      .exec(line)?.[1]
      ?.replace(/(\\*)\\"/g, (_, slashes: string) => `${slashes.slice(slashes.length / 2)}"`);
    const plain = (script ?? "").replace(/>>'.*' 2>&1$/s, "");
    const shell = Bun.spawnSync(["/bin/sh", "-c", plain]);
    expect(shell.stdout.toString()).toBe(`up --supervised --home ${spec.home}\n`);
  });
});

const analyze = Bun.which("systemd-analyze");
const checked = `systemd's own check accepts the units${analyze === null ? " (skipped: systemd is not installed)" : ""}`;

test.skipIf(analyze === null)(checked, async () => {
  for (const kind of ["systemd-user", "systemd-system"] as const) {
    await MANAGERS[kind](createFakeInitPrograms()).install({ ...spec, program: "/bin/true", user: "root" });
    const { stderr, exitCode } = Bun.spawnSync([analyze ?? "", "verify", "--man=no", join(folder, "hearth.service")]);
    // Keys of newer versions are ignored by older ones.
    const complaints = stderr
      .toString()
      .split("\n")
      .filter(
        (line) => line.includes("hearth.service") && !/Unknown key '?(name )?'?Restart(Steps|MaxDelaySec)/.test(line),
      );
    expect([kind, exitCode, complaints]).toEqual([kind, 0, []]);
  }
});

test("homes with the same folder name have different services", () => {
  const names = ["/a/home", "/b/home", "/a/my house!", "/"].map(toUnitName);
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^hearth(-[A-Za-z0-9-]+)?-[0-9a-f]{8}$/);
});
