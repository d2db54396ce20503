import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { createFakeTerminal } from "./fakes/fake-terminal.ts";
import { exitCodes } from "./exit-codes.ts";
import { findHome } from "./home.ts";
import { run } from "./run.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "hearth-cli-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const hearth = async (...words: string[]) => {
  const terminal = createFakeTerminal({ home });
  const code = await run(words, terminal);
  return { code, ...terminal.written };
};

describe("help", () => {
  test("is printed by `hearth`, `--help` and `help`", async () => {
    const bare = await hearth();
    expect(bare.code).toBe(0);
    expect(bare.out).toContain("Usage: hearth COMMAND");
    for (const words of [["--help"], ["-h"], ["help"]]) expect(await hearth(...words)).toEqual(bare);
  });

  test("of every command has a usage line, flags and examples", async () => {
    for (const [name, entry] of Object.entries(commands)) {
      const loaded = await entry.load();
      expect(loaded.summary).toBe(entry.summary);
      const all: readonly (readonly [string, Command])[] =
        loaded.kind === "command"
          ? [[name, loaded]]
          : Object.entries(loaded.verbs).map(([verb, command]) => [`${name} ${verb}`, command] as const);
      for (const [path, command] of all) {
        const { code, out } = await hearth(...path.split(" "), "--help");
        expect(code).toBe(0);
        expect(out).toContain(`Usage: hearth ${path}`);
        expect(out).toContain(`\nNeeds: ${command.needs}\n`);
        for (const flag of ["home", "json", "help", ...Object.keys(command.flags)]) expect(out).toContain(`--${flag}`);
        expect(command.examples.length).toBeGreaterThan(0);
        for (const example of command.examples) expect(example).toContain(`hearth ${path}`);
        expect(await hearth("help", ...path.split(" "))).toEqual({ code, out, err: "" });
      }
    }
  });

  test("of a group lists its verbs; a missing verb is a usage error", async () => {
    const asked = await hearth("agent", "--help");
    expect(asked.code).toBe(0);
    expect(asked.out).toContain("hearth agent edit AGENT [flags]");
    const bare = await hearth("agent");
    expect(bare).toEqual({ code: 2, out: "", err: asked.out.trimEnd() + "\n" });
  });

  test("of a group with a default command shows both", async () => {
    const { code, out } = await hearth("backup", "--help");
    expect(code).toBe(0);
    for (const part of [
      "hearth backup [flags]",
      "hearth backup list [flags]",
      "--keep N",
      "Needs: access to this machine",
    ])
      expect(out).toContain(part);
    expect(await hearth("help", "backup")).toEqual({ code, out, err: "" });
  });

  test("names every exit code", async () => {
    const { out } = await hearth("--help");
    const codes = out.slice(out.indexOf("Exit codes:"), out.indexOf("Examples:"));
    for (const code of [...Object.values(exitCodes), 10, 11, 12, 13]) {
      expect(codes).toMatch(new RegExp(`\\b${code} [a-zA-Z]`));
    }
  });

  test("--version prints the version", async () => {
    expect((await hearth("--version")).out).toMatch(/^hearth \d+\.\d+\.\d+\n$/);
  });
});

describe("a group with a default command", () => {
  test("takes a word after its own flag as the value, and after a flag of every command as the verb", async () => {
    expect((await hearth("backup", "--to", "list")).err).toContain("has no hearth.db");
    expect((await hearth("backup", "--json", "list", "--from", home)).out).toBe("[]\n");
    expect(await hearth("backup", "lst")).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "list"?'),
    });
  });
});

describe("an invalid command line exits with 2 and a hint", () => {
  test("an unknown command suggests the nearest name", async () => {
    expect(await hearth("agnet", "list")).toMatchObject({ code: 2, out: "" });
    expect((await hearth("agnet", "list")).err).toStartWith('hearth: Unknown command "agnet". Did you mean "agent"?\n');
    expect((await hearth("toString")).err).toStartWith('hearth: Unknown command "toString".');
  });
  test("an unknown verb suggests the nearest name", async () => {
    expect((await hearth("agent", "lst")).err).toStartWith(
      'hearth: "hearth agent" has no command "lst". Did you mean "list"?\n',
    );
  });
  test("an unknown flag suggests the nearest name and the help", async () => {
    expect(await hearth("agent", "list", "--jsn")).toEqual({
      code: 2,
      out: "",
      err: 'hearth: Unknown flag --jsn. Did you mean "--json"?\n  For help: hearth agent list --help\n',
    });
    expect((await hearth("help", "agnet")).code).toBe(2);
  });
  test("global flags may appear anywhere", async () => {
    for (const words of [
      ["--json", "status"],
      ["status", "--json"],
      ["--home", home, "agent", "--json", "list"],
    ]) {
      expect((await hearth(...words)).code).toBe(3);
    }
  });
});

describe("without a daemon", () => {
  test("commands exit with 3 and say how to start the house", async () => {
    for (const words of [["status"], ["stop"], ["agent", "list"], ["chat", "-m", "hi"], ["key", "list"]]) {
      expect(await hearth(...words)).toEqual({
        code: 3,
        out: "",
        err: `hearth: Hearth is not running in ${home}.\n  Start it: hearth up\n`,
      });
    }
  });
  test("doctor runs the offline checks and exits with 3", async () => {
    const folder = join(home, "house");
    const lines = async (...words: string[]) => (await hearth("doctor", "--home", folder, ...words)).out.split("\n");
    expect(await lines()).toEqual([
      `ok    runtime: Bun ${Bun.version}, ${process.platform} ${process.arch}`,
      `FAIL  home: ${folder} does not exist yet`,
      `      Start the house to create it: hearth up --home ${folder}`,
      `FAIL  config: ${folder}/hearth.toml does not exist`,
      `      Start the house to create it: hearth up --home ${folder}`,
      "FAIL  house: not running",
      `      Start it: hearth up --home ${folder}`,
      "",
    ]);
    await mkdir(folder);
    await writeFile(join(folder, "letters.txt"), "");
    expect(await lines()).toContain(`FAIL  home: ${folder} is not a Hearth home: it contains letters.txt`);
    await writeFile(join(folder, "hearth.toml"), "version = 1\n[cell]\n");
    expect(await lines()).toContain(`FAIL  config: cell is an unknown key; hearth.toml line 2`);
    await writeFile(join(folder, "hearth.toml"), "version = 1\n");
    const { code, out, err } = await hearth("doctor", "--home", folder, "--json");
    expect({ code, err }).toEqual({ code: 3, err: "" });
    expect(JSON.parse(out)).toEqual([
      { name: "runtime", ok: true, detail: expect.stringContaining(Bun.version) },
      { name: "home", ok: true, detail: `${folder} exists and is writable` },
      { name: "config", ok: true, detail: `${folder}/hearth.toml is valid` },
      { name: "house", ok: false, detail: "not running", fix: `Start it: hearth up --home ${folder}` },
    ]);
    expect((await hearth("doctor", "--home", join(folder, "hearth.toml"))).out).toContain("is not a folder\n");
    expect((await hearth("doctor")).out).toEndWith("Start it: hearth up\n");
  });
  test("the hint repeats --home", async () => {
    expect((await hearth("status", "--home", home)).err).toContain(`Start it: hearth up --home ${home}\n`);
  });
  test("run files of a killed daemon count as not running", async () => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const { port } = server;
    await server.stop(true);
    await mkdir(join(home, "run"));
    for (const [name, text] of [
      ["url", `http://127.0.0.1:${port}`],
      ["token", "t"],
      ["pid", "1"],
    ] as const)
      await writeFile(join(home, "run", name), text);
    expect(await hearth("status")).toMatchObject({
      code: 3,
      err: `hearth: Hearth is not running in ${home}.\n  Start it: hearth up\n`,
    });
  });
  test("--json prints the failure as JSON too", async () => {
    const { out } = await hearth("status", "--json");
    expect(JSON.parse(out)).toEqual({
      error: {
        code: "house.unreachable",
        message: `Hearth is not running in ${home}.`,
        hint: "Start it: hearth up",
      },
    });
  });
});

describe("the home folder", () => {
  const MAIN = join(import.meta.dir, "main.ts");
  // Root can read everything, so root runs the command as an unprivileged user, which may be unable
  // to start it. Other accounts run it directly.
  // the command. Other accounts run it directly.
  const isRoot = process.getuid?.() === 0;
  const asStranger = isRoot ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : [];
  const canAsk =
    !isRoot ||
    (Bun.which("setpriv") !== null &&
      [MAIN, process.execPath].every((path) => Bun.spawnSync([...asStranger, "test", "-r", path]).exitCode === 0));

  test("is --home, then HEARTH_HOME, then ~/.hearth", () => {
    const env = { HEARTH_HOME: "/e", HOME: "/u" };
    expect(findHome("/g", { env, cwd: "/c" })).toBe("/g");
    expect(findHome("g", { env, cwd: "/c" })).toBe("/c/g");
    expect(findHome(undefined, { env, cwd: "/c" })).toBe("/e");
    expect(findHome(undefined, { env: { HEARTH_HOME: "", HOME: "/u" }, cwd: "/c" })).toBe("/u/.hearth");
    expect(findHome(undefined, { env: {}, cwd: "/c" })).toBe(join(homedir(), ".hearth"));
  });
  test.skipIf(!canAsk)("that this account may not read exits with 4 and names its owner", async () => {
    await mkdir(join(home, "run"));
    await writeFile(join(home, "run/url"), "http://127.0.0.1:1\n");
    await chmod(join(home, "run"), 0);
    await chmod(home, 0o755);
    const child = Bun.spawn([...asStranger, process.execPath, "--no-install", "--no-env-file", MAIN, "status"], {
      env: { ...process.env, HEARTH_HOME: home },
      stdout: "pipe",
      stderr: "pipe",
    });
    const err = await new Response(child.stderr).text();
    await child.exited;
    await chmod(join(home, "run"), 0o700);
    expect(err).not.toContain("EACCES");
    expect(err).toStartWith(
      isRoot
        ? `hearth: ${home} belongs to "root", but this command runs as "nobody".\n  Run the command as that user`
        : `hearth: ${home} belongs to you, but its permissions deny reading its files.\n  Give yourself permission: chmod`,
    );
    expect(child.exitCode).toBe(4);
  });
  test("must not be empty", () => {
    expect(() => findHome("", { env: {}, cwd: "/c" })).toThrow("--home is empty.");
  });
});
