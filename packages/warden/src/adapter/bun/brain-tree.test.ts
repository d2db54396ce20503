/**
 * Tests the brain on a real disk: the contract, and files that people and hostile programs put
 * there.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brainDiskConformance } from "../../agents/brains/disk.conformance.ts";
import type { BrainTree } from "../../agents/brains/disk.ts";
import { createBunBrainDisk } from "./brain-disk.ts";
import { createBunBrainTree } from "./brain-tree.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "hearth-brain-"));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

for (const durability of ["power", "process"] as const) {
  brainDiskConformance(`bun, ${durability}`, async () => {
    const folder = newFolder();
    return {
      disk: createBunBrainDisk(folder, { durability }),
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
    };
  });
}

describe("a brain on the disk", () => {
  let home: string;
  let root: string;
  let tree: BrainTree;
  beforeEach(() => {
    home = newFolder();
    root = join(home, "main");
    mkdirSync(join(root, "memory"), { recursive: true });
    writeFileSync(join(home, "outside.md"), "outside");
    tree = createBunBrainDisk(home).tree("main");
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const refusal = async (asked: Promise<unknown>): Promise<boolean> =>
    isHearthError(await asked.catch((error: unknown) => error), "brain.path");

  test("a crafted path never leads outside the brain", async () => {
    const file = join(import.meta.dir, "../../../../../tests/fixtures/path-traversal.json");
    const { items } = JSON.parse(readFileSync(file, "utf8")) as { readonly items: readonly string[] };
    expect(items.length).toBeGreaterThan(80);
    const before = [readdirSync(home), readdirSync(join(home, ".."))];
    for (const path of [...items, "../outside.md", "memory/../../outside.md", "/etc/passwd", "", ".", ".."]) {
      const isRefused = await refusal(tree.replace(path, bytes("evil"), undefined));
      if (!isRefused) expect(readFileSync(join(root, ...path.split("/")), "utf8")).toBe("evil");
      expect(await refusal(tree.stat(path))).toBe(isRefused);
    }
    expect(readFileSync(join(home, "outside.md"), "utf8")).toBe("outside");
    expect(readdirSync(home)).toEqual(before[0] ?? []);
  });

  test("links are never followed: not as a file, not in a path, not in a walk", async () => {
    symlinkSync(join(home, "outside.md"), join(root, "SOUL.md"));
    symlinkSync(home, join(root, "up"));
    symlinkSync("nowhere", join(root, "dangling.md"));
    for (const path of ["SOUL.md", "up/outside.md", "dangling.md"]) {
      expect([path, await refusal(tree.stat(path))]).toEqual([path, true]);
      expect(await refusal(tree.read(path, 100))).toBe(true);
      expect(await refusal(tree.replace(path, bytes("evil"), undefined))).toBe(true);
    }
    expect(readFileSync(join(home, "outside.md"), "utf8")).toBe("outside");
    const { files, notes } = await tree.walk("", { skips: () => false, maxFiles: 100 });
    expect(files).toEqual([]);
    expect(notes.map(({ path }) => path)).toEqual(["SOUL.md", "dangling.md", "up"]);
  });

  test("a folder that was replaced by a link is not followed", async () => {
    await tree.replace("memory/a.md", bytes("mine"), undefined);
    await tree.stat("memory/a.md");
    await tree.names("memory");
    mkdirSync(join(home, "elsewhere"));
    writeFileSync(join(home, "elsewhere/a.md"), "outside");
    renameSync(join(root, "memory"), join(root, "old"));
    symlinkSync(join(home, "elsewhere"), join(root, "memory"));
    expect(await refusal(tree.stat("memory/a.md"))).toBe(true);
    expect(await refusal(tree.read("memory/a.md", 100))).toBe(true);
    expect(await tree.names("memory")).toEqual([]);
  });

  test("a file that was missing is found as soon as it exists, also in a folder that was missing", async () => {
    for (const path of ["later.md", "memory/later.md", "new/folder/later.md"]) {
      expect(await tree.stat(path)).toBeUndefined();
      expect(await tree.stat(path)).toBeUndefined();
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "here");
      expect((await tree.stat(path))?.sizeBytes).toBe(4);
      rmSync(join(root, path));
      expect(await tree.stat(path)).toBeUndefined();
    }
  });

  test("a folder that was replaced by a link is not followed to a missing file", async () => {
    mkdirSync(join(home, "elsewhere"));
    for (const path of ["memory/later.md", "new/later.md"]) {
      expect(await tree.stat(path)).toBeUndefined();
      rmSync(join(root, dirname(path)), { recursive: true, force: true });
      symlinkSync(join(home, "elsewhere"), join(root, dirname(path)));
      expect(await refusal(tree.stat(path))).toBe(true);
    }
  });

  test("a walk yields to the event loop every 500 entries, and ends at its limit", async () => {
    mkdirSync(join(root, "many"));
    for (let count = 0; count < 2000; count += 1) writeFileSync(join(root, "many", `${count}`), "");
    let turns = 0;
    const turn = (): Promise<void> => Promise.resolve(void (turns += 1));
    const counted = createBunBrainTree(root, { turn });
    const whole = await counted.walk("", { skips: () => false, maxFiles: 5000 });
    expect([whole.files.length, whole.isComplete, whole.notes, turns]).toEqual([2000, true, [], 4]);
    const part = await counted.walk("", { skips: () => false, maxFiles: 100 });
    expect([part.files.length, part.isComplete, turns]).toEqual([100, false, 4]);
    expect(part.notes.map(({ why }) => why)).toEqual(["there are more than 100 files"]);
    const none = await counted.walk("", { skips: (name) => name !== "many", maxFiles: 100 });
    expect([none.isComplete, none.notes.map(({ why }) => why), turns]).toEqual([
      false,
      ["there are more than 400 entries"],
      4,
    ]);
  });

  test("reading a pipe does not block", async () => {
    Bun.spawnSync(["mkfifo", join(root, "pipe.md")]);
    expect(await refusal(tree.read("pipe.md", 100))).toBe(true);
    expect((await tree.walk("", { skips: () => false, maxFiles: 100 })).notes).toEqual([
      { path: "pipe.md", why: "is not a regular file" },
    ]);
  });

  test("writing a hard-linked file replaces it and leaves the other name unchanged", async () => {
    linkSync(join(home, "outside.md"), join(root, "linked.md"));
    const facts = await tree.stat("linked.md");
    await tree.replace("linked.md", bytes("mine"), facts?.stamp);
    expect(readFileSync(join(home, "outside.md"), "utf8")).toBe("outside");
  });

  test("a file replaced by one of the same size and time is detected as changed", async () => {
    writeFileSync(join(root, "a.md"), "one");
    const before = await tree.stat("a.md");
    writeFileSync(join(root, "a.md.swp"), "two");
    renameSync(join(root, "a.md.swp"), join(root, "a.md"));
    expect((await tree.stat("a.md"))?.stamp).not.toBe(before?.stamp);
  });

  test("an empty folder is removed with its last file, except the workspace", async () => {
    mkdirSync(join(root, "workspace"));
    const one = await tree.replace("deep/er/a.md", bytes("a"), undefined);
    const other = await tree.replace("workspace/b/b.md", bytes("b"), undefined);
    await tree.remove("deep/er/a.md", one?.stamp ?? "");
    await tree.remove("workspace/b/b.md", other?.stamp ?? "");
    expect([existsSync(join(root, "deep")), readdirSync(join(root, "workspace"))]).toEqual([false, []]);
  });

  test("a failed write leaves the file unchanged and no draft", async () => {
    writeFileSync(join(root, "a.md"), "one");
    expect(await refusal(tree.replace("a.md/b.md", bytes("x"), undefined))).toBe(true);
    expect(readdirSync(root).sort()).toEqual(["a.md", "memory"]);
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("one");
  });
});
