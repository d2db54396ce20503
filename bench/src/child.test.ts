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

test("a line is found by its beginning, before or after it was printed, with the time it came", async () => {
  await using child = shell("echo first; echo ready http://x; read never");
  const { text, atMs } = await child.line("ready ");
  expect(text).toBe("ready http://x");
  expect(atMs).toBeGreaterThan(child.spawnedAtMs);
  expect(atMs).toBeLessThanOrEqual(sharedNow());
  expect((await child.line("first")).text).toBe("first");
});

test("a last line without an end counts", async () => {
  await using child = shell("printf 'ready now'");
  expect((await child.line("ready")).text).toBe("ready now");
});

test("a process that ends without the line says how, with its own words", async () => {
  await using child = shell("echo 'the disk is full' >&2; exit 3");
  await expect(child.line("ready")).rejects.toThrow(/ended with 3 before it said "ready"\.\nthe disk is full/);
});

test("disposing ends the process", async () => {
  const child = shell("echo up; read never");
  await child.line("up");
  await child[Symbol.asyncDispose]();
  expect(isAlive(child.pid)).toBe(false);
});

test("a site that is disposed ends what is left and takes its folders away", async () => {
  const own = createSite({ root: tmpdir(), say: () => {} });
  const folder = await temporaryFolder(own);
  const child = startChild(own, { command: ["sh", "-c", "echo up; read never"], cwd: folder.path });
  await child.line("up");
  expect(existsSync(folder.path)).toBe(true);
  await own[Symbol.asyncDispose]();
  expect(isAlive(child.pid)).toBe(false);
  expect(existsSync(folder.path)).toBe(false);
  expect(() => own.own(async () => {})).toThrow("being ended");
});
