import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import type { SpawnResult } from "../../tools/spawn.ts";
import { type SpawnHarness, spawnConformance } from "../../tools/spawn.conformance.ts";
import { createBunSpawn } from "./spawn.ts";

const openPlace = async (): Promise<SpawnHarness> => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "hearth-spawn-")));
  return {
    spawn: createBunSpawn(),
    cwd,
    ending: (output, code) => ["/bin/sh", "-c", 'printf %s "$1"; exit "$2"', "sh", output, String(code)],
    killed: (signal) => ["/bin/sh", "-c", `kill -${signal.slice(3)} $$`],
    writingFd3: (output, fd3) => ["/bin/sh", "-c", 'printf %s "$1"; printf %s "$2" >&3', "sh", output, fd3],
    hanging: (output) => ["/bin/sh", "-c", 'printf %s "$1"; : > ready; sleep 1000', "sh", output],
    whenWritten: () => appeared(join(cwd, "ready")),
    [Symbol.asyncDispose]: async () => rmSync(cwd, { recursive: true }),
  };
};

/** Commands create a file to report that they reached a certain point. */
const appeared = async (path: string): Promise<void> => {
  await until(() => existsSync(path));
};

const never = (): AbortSignal => new AbortController().signal;

const whenReady = (harness: SpawnHarness): AbortSignal => {
  const stopper = new AbortController();
  void appeared(join(harness.cwd, "ready")).then(() => stopper.abort());
  return stopper.signal;
};

spawnConformance("bun", openPlace);

const sh = async (
  harness: SpawnHarness,
  command: string,
  signal: AbortSignal = never(),
): Promise<SpawnResult & { tookMs: number; left: readonly string[] }> => {
  const startedAt = performance.now();
  const request = {
    argv: ["/bin/sh", "-c", command],
    cwd: harness.cwd,
    env: { PATH: "/usr/bin:/bin", HOME: harness.cwd },
    maxOutputSize: 5_000,
  };
  const result = await harness.spawn.run(request, signal);
  return { ...result, tookMs: performance.now() - startedAt, left: processesOf(harness.cwd) };
};

/** Command lines of live processes whose working folder is `cwd`, whatever their parent. */
const processesOf = (cwd: string): readonly string[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const dead = /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
        if (dead || realpathSync(`/proc/${pid}/cwd`) !== cwd) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });

/** Much less than the children's sleep, and more than a busy machine needs to end them. */
const NOT_HELD_UP_MS = 30_000;

test("`processesOf` finds a running process", async () => {
  await using harness = await openPlace();
  const child = Bun.spawn(["sleep", "1000"], { cwd: harness.cwd });
  // A new process has no arguments until it runs its program.
  await until(() => !processesOf(harness.cwd).includes(""));
  expect(processesOf(harness.cwd)).toEqual(["sleep 1000 "]);
  child.kill("SIGKILL");
  await child.exited;
});

test("stdout and stderr keep the order in which they were written", async () => {
  await using harness = await openPlace();
  const { output } = await sh(harness, "for i in 1 2 3; do echo out$i; echo err$i >&2; done");
  expect(output).toBe("out1\nerr1\nout2\nerr2\nout3\nerr3\n");
});

test("arguments are passed literally", async () => {
  await using harness = await openPlace();
  const argv = ["printf", "%s|", "$HOME", "`id`", "a b", "'", '"', ";", "-n", "*"];
  const { output } = await harness.spawn.run(
    { argv, cwd: harness.cwd, env: { PATH: "/usr/bin:/bin" }, maxOutputSize: 1000 },
    never(),
  );
  expect(output).toBe("$HOME|`id`|a b|'|\"|;|-n|*|");
});

test("D8: a command has only the given environment and reads no profile files", async () => {
  await using harness = await openPlace();
  for (const file of [".env", ".profile", ".shrc", ".bashrc"])
    writeFileSync(join(harness.cwd, file), "export HOSTILE=1\nHOSTILE=1\n");
  const { output } = await sh(harness, "env");
  const names = output
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0] ?? "");
  // The shell adds PWD, OLDPWD, SHLVL and _.
  expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)).sort()).toEqual([
    "HEARTH_RUN",
    "HOME",
    "PATH",
  ]);
});

test("a command inherits only stdin, stdout and stderr", async () => {
  await using harness = await openPlace();
  const { output } = await sh(harness, "ls -l /proc/self/fd | grep -c -- '->'; readlink /proc/self/fd/0");
  // 0, 1, 2, and the folder that ls reads.
  expect(output).toBe("4\n/dev/null\n");
});

test("stdin is empty and there is no terminal", async () => {
  await using harness = await openPlace();
  const { output } = await sh(
    harness,
    "cat; read line || echo nothing; test -t 0 || test -t 1 || echo no terminal; (: < /dev/tty) 2>/dev/null || echo no tty",
  );
  expect(output).toBe("nothing\nno terminal\nno tty\n");
});

test("a background child that holds the output open does not delay the call and is ended with it", async () => {
  await using harness = await openPlace();
  const result = await sh(harness, "sleep 1000 & echo started");
  expect(result).toMatchObject({ end: "exited", code: 0, output: "started\n", left: [] });
  expect(result.tookMs).toBeLessThan(NOT_HELD_UP_MS);
});

test("a child that ignores SIGTERM is gone when the call returns", async () => {
  await using harness = await openPlace();
  const result = await sh(
    harness,
    "trap '' TERM HUP INT; (while :; do sleep 1; done) & : > ready; while :; do sleep 1; done",
    whenReady(harness),
  );
  expect(result).toMatchObject({ end: "stopped", left: [] });
  expect(result.tookMs).toBeLessThan(NOT_HELD_UP_MS);
});

test("a command has time to clean up on SIGTERM", async () => {
  await using harness = await openPlace();
  const result = await sh(
    harness,
    "trap 'echo tidy; exit 7' TERM; : > ready; while :; do sleep 0.05; done",
    whenReady(harness),
  );
  expect(result).toMatchObject({ end: "stopped", code: 7, left: [] });
  expect(result.output).toContain("tidy\n");
});

test("a command that keeps forking is gone when the call returns", async () => {
  await using harness = await openPlace();
  const result = await sh(
    harness,
    "n=0; while [ $n -lt 60 ]; do (sleep 1000 & sleep 1000) & n=$((n+1)); done; : > ready; wait",
    whenReady(harness),
  );
  expect(result).toMatchObject({ end: "stopped", left: [] });
});

test("D9, R16: a child that leaves the process group is found and ended", async () => {
  await using harness = await openPlace();
  const ended = await sh(
    harness,
    "setsid sh -c ': > apart; sleep 1000' & while ! test -e apart; do sleep 0.01; done; echo done",
  );
  expect(ended).toMatchObject({ end: "exited", output: "done\n", left: [] });
  const stopped = await sh(
    harness,
    "setsid sh -c \"trap '' TERM; : > ready; sleep 1000\" & sleep 1000",
    whenReady(harness),
  );
  expect(stopped).toMatchObject({ end: "stopped", left: [] });
});

test("a command leaves no descriptor open, however it ends", async () => {
  await using harness = await openPlace();
  const countOpen = (): number => readdirSync("/proc/self/fd").length;
  await sh(harness, "echo one");
  const before = countOpen();
  const request = { cwd: harness.cwd, env: {}, maxOutputSize: 10 };
  for (let count = 0; count < 5; count += 1) {
    const argv = ["/bin/sh", "-c", "echo out; echo three >&3"];
    expect(await harness.spawn.run({ ...request, argv, fd3: true }, never())).toMatchObject({ fd3: "three\n" });
    await sh(harness, ": > ready; sleep 1000", whenReady(harness));
    rmSync(join(harness.cwd, "ready"));
    // Its child keeps the pipe open when the command has ended.
    await harness.spawn.run({ ...request, argv: ["/bin/sh", "-c", "sleep 1000 & echo out"] }, never());
  }
  await until(() => countOpen() <= before);
});

test("R16: an endless output is truncated, and its command is stopped before memory runs out", async () => {
  await using harness = await openPlace();
  const before = process.memoryUsage().rss;
  const result = await sh(harness, "yes 0123456789");
  expect(result).toMatchObject({ end: "flooded", left: [] });
  expect(result.output.length).toBeLessThan(5_100);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("a missing workspace fails with `tool.failed`", async () => {
  await using harness = await openPlace();
  const gone = join(harness.cwd, "gone");
  const error = await harness.spawn
    .run({ argv: ["true"], cwd: gone, env: {}, maxOutputSize: 10 }, never())
    .catch((reason: unknown) => reason);
  expect(isHearthError(error, "tool.failed")).toBe(true);
  expect(existsSync(gone)).toBe(false);
});

test("two commands at once do not end each other", async () => {
  await using harness = await openPlace();
  const long = sh(harness, ": > ready; while ! test -e over; do sleep 0.01; done; echo long");
  await appeared(join(harness.cwd, "ready"));
  const short = await sh(harness, "sleep 1000 & echo short");
  writeFileSync(join(harness.cwd, "over"), "");
  expect(await long).toMatchObject({ end: "exited", code: 0, output: "long\n" });
  expect(short).toMatchObject({ end: "exited", code: 0, output: "short\n" });
});
