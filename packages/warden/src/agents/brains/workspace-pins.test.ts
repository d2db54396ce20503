import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunBrainTree } from "../../adapter/bun/brain-tree.ts";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { pinWorkspace } from "./workspace-pins.ts";

const { hash } = createBunWorld();
const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const open = () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-pins-"));
  roots.push(root);
  mkdirSync(join(root, "workspace/jobs"), { recursive: true });
  const at = (path: string): string => join(root, "workspace", path);
  const tree = createBunBrainTree(root);
  return { at, pins: (named: string) => pinWorkspace({ tree, hash }, (path) => path.endsWith(named)) };
};

test("equal contents have equal pins, and different contents have different ones", async () => {
  const { at, pins } = open();
  writeFileSync(at("jobs/run.sh"), "echo one");
  writeFileSync(at("other.sh"), "echo");
  const before = await pins("run.sh");
  expect(before).toEqual([{ path: "jobs/run.sh", is: `sha256:${hash("echo one")}` }]);
  writeFileSync(at("jobs/run.sh"), "echo one");
  expect(await pins("run.sh")).toEqual(before);
  writeFileSync(at("jobs/run.sh"), "echo two");
  expect(await pins("run.sh")).not.toEqual(before);
});

test("a file too large to read is pinned by its stamp", async () => {
  const { at, pins } = open();
  writeFileSync(at("large"), new Uint8Array(9 * 1024 * 1024));
  const before = await pins("large");
  expect(before.map(({ path, is }) => [path, is.split(" ")[0]])).toEqual([["large", "at"]]);
  unlinkSync(at("large"));
  expect(await pins("large")).toEqual([]);
});

test("a link is pinned too, changes its pin with its target, and is never followed", async () => {
  const { at, pins } = open();
  mkdirSync(at("new"));
  symlinkSync("jobs", at("current"));
  const before = await pins("current");
  expect(before.map(({ path, is }) => [path, is.split(" ")[0]])).toEqual([["current", "link"]]);
  expect(await pins("current")).toEqual(before);
  unlinkSync(at("current"));
  symlinkSync("new", at("current"));
  expect(await pins("current")).not.toEqual(before);
});
