import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { startChild } from "./child.ts";
import { sharedNow } from "./clock.ts";
import { createSite, temporaryFolder } from "./site.ts";

const site = createSite({ root: tmpdir(), say: () => {} });
afterAll(() => site[Symbol.asyncDispose]());

const shell = (script: string) => startChild(site, { command: ["sh", "-c", script], cwd: tmpdir() });
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("`line` finds a line by its prefix, printed before or after the call, with its arrival time", async () => {
  await using child = shell("echo first; echo ready http://x; read never");
  const { text, atMs } = await child.line("ready ");
  expect(text).toBe("ready http://x");
  expect(atMs).toBeGreaterThan(child.spawnedAtMs);
  expect(atMs).toBeLessThanOrEqual(sharedNow());
  expect((await child.line("first")).text).toBe("first");
});

test("a last line without a newline counts", async () => {
  await using child = shell("printf 'ready now'");
  expect((await child.line("ready")).text).toBe("ready now");
});

test("the error for a missing line contains the exit code and stderr", async () => {
  await using child = shell("echo 'the disk is full' >&2; exit 3");
  await expect(child.line("ready")).rejects.toThrow(/exited with 3 before it printed "ready"\.\nthe disk is full/);
});

test("disposing ends the process", async () => {
  const child = shell("echo up; read never");
  await child.line("up");
  await child[Symbol.asyncDispose]();
  expect(isAlive(child.pid)).toBe(false);
});

test("disposing a site ends its processes and removes its folders", async () => {
  const own = createSite({ root: tmpdir(), say: () => {} });
  const folder = await temporaryFolder(own);
  const child = startChild(own, { command: ["sh", "-c", "echo up; read never"], cwd: folder.path });
  await child.line("up");
  expect(existsSync(folder.path)).toBe(true);
  await own[Symbol.asyncDispose]();
  expect(isAlive(child.pid)).toBe(false);
  expect(existsSync(folder.path)).toBe(false);
  expect(() => own.own(async () => {})).toThrow("being stopped");
});
