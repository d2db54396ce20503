/**
 * Tests the launcher on a fake machine: a copy of its files and a PATH that contains only what the
 * tests provide.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const SYSTEM = [
  "sh",
  "mkdir",
  "rmdir",
  "rm",
  "mv",
  "cp",
  "cmp",
  "cat",
  "sed",
  "head",
  "date",
  "sleep",
  "readlink",
  "ps",
  "find",
  "dirname",
];
const RUNTIME = "node_modules/@oven/bun-fake/bin/bun";

/** The fake npm: installs a runtime that prints its arguments. */
const NPM_CI = `
mkdir -p node_modules/@oven/bun-fake/bin
for name in node_modules/* node_modules/.*; do case $name in */@oven|*/.|*/..) ;; *) rm -rf "$name" ;; esac; done
cat > ${RUNTIME} <<'RUN'
#!/bin/sh
[ "$1" = --version ] && { echo 1.0.0; exit; }
echo "cwd=$PWD from=$HEARTH_CWD"
for argument in "$@"; do echo "[$argument]"; done
RUN
chmod +x ${RUNTIME}
`;

let folder: string;
let house: string;
let bin: string;

const script = async (name: string, body: string): Promise<void> => {
  await rm(join(bin, name), { force: true });
  await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`);
  await chmod(join(bin, name), 0o755);
};

const npm = (ci: string, version = "11.19.1"): Promise<void> =>
  script("npm", `[ "$1" = -v ] && { echo ${version}; exit; }\necho "$@" >>"${folder}/calls"\n${ci}`);

const calls = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, "calls"), "utf8").catch(() => "")).split("\n").filter((line) => line !== "");

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const start = (command: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) =>
  Bun.spawn([...command], {
    cwd: options.cwd ?? folder,
    env: { PATH: bin, ...options.env },
    stdout: "pipe",
    stderr: "pipe",
  });

const finish = async (child: ReturnType<typeof start>): Promise<Run> => {
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
};

const hearth = (...args: string[]): Promise<Run> => finish(start([join(house, "hearth"), ...args]));

const setUp = (what: "run" | "dev"): Promise<Run> =>
  finish(start(["sh", "-c", `. ./scripts/setup.sh; hearth_setup ${what}; echo "$runtime"`], { cwd: house }));

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-setup-"));
  house = join(folder, "a house");
  bin = join(folder, "bin");
  await mkdir(join(house, "scripts"), { recursive: true });
  await mkdir(bin);
  await cp(join(root, "hearth"), join(house, "hearth"));
  await cp(join(root, "scripts/setup.sh"), join(house, "scripts/setup.sh"));
  await writeFile(join(house, "package-lock.json"), "{}\n");
  for (const name of SYSTEM) {
    const path = Bun.which(name);
    if (path !== null) await symlink(path, join(bin, name));
  }
  await script("uname", `[ "$1" = -s ] && echo Linux || echo x86_64`);
  await script("node", "echo v22.1.0");
  await script("chmod", `exec ${Bun.which("chmod")} "$@"`);
  await npm(NPM_CI);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the launcher", () => {
  test("installs on first use without dev tools, then runs the runtime with unchanged arguments", async () => {
    const run = await hearth("chat", "-m", "two  words", "");
    expect(run.err).toMatch(/^Setting up Hearth: .* ready after \d+ s\.\n$/);
    expect(run.out).toBe(
      `cwd=${house} from=${folder}\n[--no-install]\n[--no-env-file]\n[packages/cli/src/main.ts]\n[chat]\n[-m]\n[two  words]\n[]\n`,
    );
    expect(run.code).toBe(0);
    const [call] = await calls();
    expect(call).toStartWith("ci --ignore-scripts ");
    expect(call).toEndWith(" --omit=dev");
  });

  test("installs the development tools for `bench`", async () => {
    await hearth("status");
    await hearth("bench", "ready");
    const [first, second] = await calls();
    expect([first, second].map((call) => call?.includes("--omit=dev"))).toEqual([true, false]);
    expect(second).toContain("--include=dev");
  });

  test("keeps only the files that this system reads, and all of them for development", async () => {
    const native = "node_modules/.store/a/node_modules/onnxruntime-node/bin/napi-v6";
    const files = ["linux/x64/a.node", "linux/arm64/a.node", "darwin/arm64/a.node", "win32/x64/a.node"];
    const own = `${native}/linux/x64/a.node`;
    const made = [...files.map((file) => `${native}/${file}`), "node_modules/b/b.js", "node_modules/b/b.js.map"];
    await npm(`${NPM_CI}\n${made.map((file) => `mkdir -p "$(dirname ${file})"; : >${file}`).join("\n")}`);
    await finish(start([join(house, "hearth"), "up"]));
    const left = async () =>
      (await Array.fromAsync(new Bun.Glob("node_modules/{.store,b}/**").scan({ cwd: house, dot: true }))).toSorted();
    expect(await left()).toEqual([own, "node_modules/b/b.js"]);
    await finish(start([join(house, "hearth"), "bench"]));
    expect(await left()).toEqual([...new Set(made)].toSorted());
  });

  test("builds the UI and the command once after an install, and works if a build fails", async () => {
    const BUILDS = ["packages/ui/src/adapter/bun/build.ts", "packages/cli/src/compiled/build.ts"];
    await npm(`${NPM_CI}
      cat > ${RUNTIME} <<'RUN'
#!/bin/sh
[ "$1" = --version ] && { echo 1.0.0; exit; }
echo "$PWD $*" >>"${folder}/runs"
case $* in *build.ts) echo noise; echo noise >&2; exit 1 ;; esac
RUN
      chmod +x ${RUNTIME}`);
    const run = await hearth("status");
    expect(run).toMatchObject({ code: 0, out: "" });
    expect(run.err).toMatch(/^Setting up Hearth: .* ready after \d+ s\.\n$/);
    await hearth("status");
    const runs = (await readFile(join(folder, "runs"), "utf8")).trim().split("\n");
    const status = `${house} --no-install --no-env-file packages/cli/src/main.ts status`;
    const builds = BUILDS.map((build) => `${house} --no-install --no-env-file ${build}`);
    expect(runs).toEqual([...builds, status, status]);
    for (const build of BUILDS) expect(await exists(join(root, build))).toBe(true);
  });

  test("sets the engine's compiler options for a house, unless the environment sets them", async () => {
    const compilers = ["useFTLJIT", "thresholdForOptimizeAfterWarmUp", "thresholdForOptimizeSoon"].map(
      (name) => `$BUN_JSC_${name}`,
    );
    await npm(NPM_CI.replace('echo "cwd=', `echo "${compilers.join(" ")} cwd=`));
    expect((await hearth()).out).toStartWith("0 100 100 cwd=");
    const env = { BUN_JSC_useFTLJIT: "1", BUN_JSC_thresholdForOptimizeSoon: "7" };
    expect((await finish(start([join(house, "hearth")], { env }))).out).toStartWith("1 100 7 cwd=");
    expect((await hearth("bench")).out).toStartWith("   cwd=");
  });

  test("prints nothing and needs no Node after it is set up", async () => {
    await hearth();
    await rm(join(bin, "node"));
    await rm(join(bin, "npm"));
    const run = await hearth("status");
    expect(run).toMatchObject({ code: 0, err: "" });
  });

  test("works through symlinks, absolute and relative", async () => {
    await mkdir(join(folder, "links/deeper"), { recursive: true });
    await symlink(join(house, "hearth"), join(folder, "links/absolute"));
    await symlink("../absolute", join(folder, "links/deeper/hearth"));
    const run = await finish(start(["deeper/hearth", "x"], { cwd: join(folder, "links") }));
    expect(run.out).toStartWith(`cwd=${house} from=${folder}/links\n`);
    expect(run.code).toBe(0);
  });

  test("works from its own folder by its bare name", async () => {
    const run = await finish(start(["sh", "hearth", "x"], { cwd: house }));
    expect(run.out).toStartWith(`cwd=${house} from=${house}\n`);
  });

  test("installs again only when the lock file changed", async () => {
    await hearth();
    await hearth();
    expect(await calls()).toHaveLength(1);
    await writeFile(join(house, "package-lock.json"), '{"changed": true}\n');
    await hearth();
    await hearth();
    expect(await calls()).toHaveLength(2);
  });

  test("compares the lock file even without cmp", async () => {
    await hearth();
    await rm(join(bin, "cmp"));
    await hearth();
    expect(await calls()).toHaveLength(1);
    await writeFile(join(house, "package-lock.json"), '{"changed": true}\n');
    await hearth();
    expect(await calls()).toHaveLength(2);
  });

  test("installs again when the runtime is missing", async () => {
    await hearth();
    await rm(join(house, RUNTIME));
    expect(await hearth()).toMatchObject({ code: 0 });
    expect(await calls()).toHaveLength(2);
  });

  test("uses the hoisted layout for npm versions without a working linked layout", async () => {
    for (const [version, hoisted] of [
      ["10.8.2", true],
      ["9.2.0", true],
      ["11.9.0", true],
      ["11.11.9", true],
      ["11.12.0", false],
      ["12.0.1", false],
    ] as const) {
      await rm(join(house, "node_modules"), { recursive: true, force: true });
      await npm(NPM_CI, version);
      await hearth();
      expect([version, (await calls()).at(-1)?.includes("--install-strategy=hoisted")]).toEqual([version, hoisted]);
    }
  });
});

describe("an install", () => {
  test("with dev tools serves both purposes; one without them is extended for tests", async () => {
    await setUp("run");
    await setUp("dev");
    expect((await calls()).map((call) => call.split(" ").at(-1))).toEqual(["--omit=dev", "--include=dev"]);
    expect((await setUp("run")).out).toBe(`${RUNTIME}\n`);
    expect((await setUp("dev")).out).toBe(`${RUNTIME}\n`);
    expect(await calls()).toHaveLength(2);
  });

  test("made by hand is adopted if it is newer than the lock file", async () => {
    await finish(
      start(["sh", "-c", `${NPM_CI} mkdir node_modules/typescript; echo > node_modules/.package-lock.json`], {
        cwd: house,
      }),
    );
    await utimes(join(house, "package-lock.json"), 1, 1);
    expect((await setUp("dev")).out).toBe(`${RUNTIME}\n`);
    expect(await calls()).toEqual([]);
    await writeFile(join(house, "package-lock.json"), '{"changed": true}\n');
    await utimes(join(house, "node_modules/.package-lock.json"), 1, 1);
    await setUp("dev");
    expect(await calls()).toHaveLength(1);
  });

  test("made by hand without dev tools is adopted for running, not for testing", async () => {
    await finish(start(["sh", "-c", `${NPM_CI} echo > node_modules/.package-lock.json`], { cwd: house }));
    await utimes(join(house, "package-lock.json"), 1, 1);
    await setUp("run");
    expect(await calls()).toEqual([]);
    await setUp("dev");
    expect(await calls()).toHaveLength(1);
  });

  test("with two runtimes uses the one that works", async () => {
    await npm(
      `${NPM_CI} mkdir -p node_modules/@oven/bun-alien/bin; printf '#!/bin/sh\\nexit 127\\n' > node_modules/@oven/bun-alien/bin/bun; chmod +x node_modules/@oven/bun-alien/bin/bun`,
    );
    expect((await setUp("run")).out).toBe(`${RUNTIME}\n`);
  });
});

describe("a failed setup", () => {
  const npmError = (code: string, more = ""): Promise<void> =>
    npm(
      `echo "npm error code ${code}" >&2; echo "npm error network request to https://me:secret@packages.example/zod failed${more}" >&2; exit 1`,
    );

  const expectFailure = async (code: number, ...words: string[]): Promise<Run> => {
    const run = await hearth();
    expect(run.code).toBe(code);
    expect(run.out).toBe("");
    for (const word of words) expect(run.err).toContain(word);
    expect(await exists(join(house, ".hearth-setup"))).toBe(false);
    return run;
  };

  test("exits with 10 without Node or npm", async () => {
    await rm(join(bin, "npm"));
    await expectFailure(10, "needs Node.js 20 or newer", "nodejs.org");
    await npm(NPM_CI);
    await rm(join(bin, "node"));
    await expectFailure(10, "needs Node.js 20 or newer");
  });

  test("exits with 10 on a machine with only a shell", async () => {
    const run = await finish(
      Bun.spawn([Bun.which("sh") ?? "/bin/sh", join(house, "hearth"), "up"], {
        cwd: house,
        env: { PATH: "/nonexistent" },
        stdout: "pipe",
        stderr: "pipe",
      }),
    );
    expect(run).toMatchObject({ code: 10, err: expect.stringContaining("Node.js 20") });
  });

  test("exits with 11 if Node is too old or does not run", async () => {
    for (const version of ["echo v18.19.1", "echo v9.0.0", "exit 1"]) {
      await script("node", version);
      await expectFailure(11, "needs Node.js 20 or newer");
    }
    await script("node", "echo v100.0.0");
    expect((await hearth()).code).toBe(0);
  });

  test("exits with 12 without a network, naming the registry without its password", async () => {
    await npmError("ENOTFOUND");
    const run = await expectFailure(12, "No network: cannot resolve https://packages.example", "setup.log");
    expect(run.err).not.toContain("secret");
    expect(run.err).not.toContain("npm error");
  });

  test("exits with 12 if the registry does not answer", async () => {
    await npmError("ETIMEDOUT");
    await expectFailure(12, "https://packages.example does not answer (ETIMEDOUT)");
  });

  test("exits with 13 for other errors, with npm's message", async () => {
    await npmError("EINTEGRITY", ", sha512 differs");
    await expectFailure(13, "npm could not install the packages (EINTEGRITY)", "sha512 differs", "setup.log");
    await npmError("ENOSPC");
    await expectFailure(13, "The disk is full");
    await npm("echo unknown message; exit 7");
    await expectFailure(13, "npm could not install the packages.");
  });

  test("exits with 13 on an unsupported machine, before any download", async () => {
    await script("uname", `[ "$1" = -s ] && echo FreeBSD || echo riscv64`);
    await expectFailure(13, "FreeBSD on riscv64", "Linux and macOS");
    expect(await calls()).toEqual([]);
  });

  test("exits with 13 if npm installed no runtime, or one that cannot run here", async () => {
    await npm("mkdir node_modules");
    await expectFailure(13, "npm installed no runtime");
    await npm(`${NPM_CI} printf '#!/bin/sh\\nkill -ILL $$\\n' > ${RUNTIME}`);
    await expectFailure(13, "does not run on this machine", "AVX2");
  });

  test("leaves no stamp, so that the next start retries", async () => {
    await npmError("ENOTFOUND");
    await hearth();
    await npm(NPM_CI);
    expect(await hearth()).toMatchObject({ code: 0 });
    expect(await exists(join(house, "setup.log"))).toBe(false);
  });
});

describe("several first starts at once", () => {
  test("install once and all run", async () => {
    await npm(`sleep 0.2\n${NPM_CI}`);
    const runs = await Promise.all([hearth("a"), hearth("b"), hearth("c"), hearth("d")]);
    expect(runs.map((run) => run.code)).toEqual([0, 0, 0, 0]);
    expect(await calls()).toHaveLength(1);
    expect(await exists(join(house, ".hearth-setup"))).toBe(false);
  });

  test("take over the lock of a process that is gone, once", async () => {
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    await mkdir(join(house, ".hearth-setup"));
    await writeFile(join(house, ".hearth-setup/pid"), `${gone.pid}\n`);
    const runs = await Promise.all([hearth("a"), hearth("b"), hearth("c")]);
    expect(runs.map((run) => run.code)).toEqual([0, 0, 0]);
    expect(await calls()).toHaveLength(1);
  });

  test("take over a lock without a process id", async () => {
    await mkdir(join(house, ".hearth-setup"));
    expect(await hearth()).toMatchObject({ code: 0 });
    expect(await calls()).toHaveLength(1);
  });

  test("wait for the npm process that an ended start left behind", async () => {
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    const npmProcess = Bun.spawn(["sleep", "60"]);
    await mkdir(join(house, ".hearth-setup"));
    await writeFile(join(house, ".hearth-setup/pid"), `${gone.pid}\n`);
    await writeFile(join(house, ".hearth-setup/npm"), `${npmProcess.pid}\n`);
    const child = start([join(house, "hearth")]);
    const reader = child.stderr.getReader();
    const message = new TextDecoder().decode((await reader.read()).value);
    expect(message).toBe(`Waiting for another start of Hearth to finish setting up (process ${npmProcess.pid}).\n`);
    expect(await calls()).toEqual([]);
    npmProcess.kill();
    expect(await child.exited).toBe(0);
    expect(await calls()).toHaveLength(1);
  });

  test("an interrupted start ends npm, removes its lock and leaves no stamp", async () => {
    // Reading from the pipe waits until npm has written all of it.
    Bun.spawnSync(["mkfifo", join(folder, "npm-pid")]);
    await npm(`echo $$ >"${folder}/npm-pid"\nexec sleep 60`);
    const child = start([join(house, "hearth")]);
    const pid = Number(await readFile(join(folder, "npm-pid"), "utf8"));
    child.kill("SIGTERM");
    expect(await child.exited).toBe(143);
    expect(pid).toBeGreaterThan(0);
    expect(() => process.kill(pid, 0)).toThrow();
    expect(await exists(join(house, ".hearth-setup"))).toBe(false);
    expect(await exists(join(house, "node_modules/.hearth-lock"))).toBe(false);
  });

  test("one that is interrupted the moment npm begins ends npm too", async () => {
    await npm(`echo $$ >"${folder}/npm-pid"\nkill -TERM $PPID\nexec sleep 60`);
    expect(await hearth()).toMatchObject({ code: 143 });
    const pid = Number(await readFile(join(folder, "npm-pid"), "utf8"));
    expect(pid).toBeGreaterThan(0);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
