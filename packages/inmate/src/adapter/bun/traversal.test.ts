import { afterAll, expect, test } from "bun:test";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseFilePath } from "../../tools/path.ts";
import { createTools } from "../../tools/index.ts";
import { FAKE_ATTEMPT, fakeMachine } from "../../tools/tools-fake.ts";
import { compileBunGlob } from "./glob.ts";
import { createBunClock } from "./clock.ts";
import { createBunFiles } from "./files.ts";
import { createBunSpawn } from "./spawn.ts";

interface Table {
  readonly source: string;
  readonly licence: string;
  readonly items: readonly string[];
  readonly exotic: readonly string[];
  readonly own: readonly string[];
}

const file = join(import.meta.dir, "../../../../../tests/fixtures/path-traversal.json");
const table = JSON.parse(readFileSync(file, "utf8")) as Table;

const CANARY = "canary-7f3a91";
const NAME = "outside.txt";

/**
 * base/outside.txt, base/house/outside.txt, and base/house/workspace = root, which contains links
 * that lead out.
 */
const base = mkdtempSync(join(tmpdir(), "hearth-traversal-"));
afterAll(() => rmSync(base, { recursive: true }));

const openTools = (name: string) => {
  const top = join(base, name);
  const root = join(top, "house/workspace");
  mkdirSync(join(root, "sub"), { recursive: true });
  for (const folder of [top, join(top, "house")]) writeFileSync(join(folder, NAME), CANARY);
  symlinkSync("..", join(root, "link-up"));
  symlinkSync(top, join(root, "link-outside"));
  symlinkSync(`../${NAME}`, join(root, "link-file"));
  symlinkSync("../new-file", join(root, "link-dangling"));
  linkSync(join(top, NAME), join(root, "twin"));
  writeFileSync(join(root, "sub/inside.txt"), "inside");
  const clock = createBunClock();
  const tools = createTools({
    compileGlob: compileBunGlob,
    files: createBunFiles(root),
    spawn: createBunSpawn(),
    machine: fakeMachine,
    clock,
    workspace: root,
  });
  const run = (tool: string, input: object) =>
    tools.run(tool, input, { signal: new AbortController().signal, timeoutMs: 10_000, ...FAKE_ATTEMPT });
  return { top, root, run };
};

/** The exact content of everything below `folder`, except the root. */
const snapshot = (folder: string, except: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const at = join(folder, name);
    const stats = lstatSync(at);
    if (at === except) return [];
    if (stats.isDirectory()) return [`${at}/ ${stats.mode}`, ...snapshot(at, except)];
    return [`${at} ${stats.mode} ${stats.isSymbolicLink() ? readlinkSync(at) : readFileSync(at, "hex")}`];
  });

/** A row as written, without leading slashes, decoded once, and decoded twice. */
const spellings = (row: string): readonly string[] => {
  const named = row.replaceAll("{FILE}", NAME);
  const forms = [named, named.replace(/^[/\\]+/, ""), decode(named), decode(decode(named)).replace(/^[/\\]+/, "")];
  return [...new Set([...forms, ...forms.map((form) => `sub/${form}`)])];
};

const decode = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const isRefused = (path: string): boolean => {
  try {
    parseFilePath(path);
    return false;
  } catch {
    return true;
  }
};

const rows = [...table.items, ...table.exotic, ...table.own];

test("a path that leads out of the test folder is refused before any access", () => {
  const root = join(base, "a/house/workspace");
  const leading = rows.flatMap(spellings).filter((path) => !resolve(root, path).startsWith(`${base}/`));
  expect(leading.length).toBeGreaterThan(100);
  expect(leading.filter((path) => !isRefused(path))).toEqual([]);
});

test("the table is complete and names its source and licence", () => {
  expect(table.items).toHaveLength(84);
  expect(table.exotic).toHaveLength(111);
  expect(table.source).toContain("PayloadsAllTheThings");
  expect(table.licence).toBe("MIT");
});

for (const tool of ["read", "write", "edit", "list", "glob", "grep"] as const) {
  test(`${tool}: no path of the table reaches anything outside`, async () => {
    const { top, root, run } = openTools(tool);
    const before = snapshot(top, root);
    const input = {
      read: {},
      write: { content: "overwritten" },
      edit: { old: "a", new: "overwritten", all: true },
      list: {},
      glob: { pattern: "**" },
      grep: { pattern: "canary|root:|inside" },
    }[tool];
    let refused = 0;
    for (const row of rows) {
      for (const path of spellings(row)) {
        // If this test finds a bug, the bug must not damage a file of the machine.
        if (!isRefused(path) && !resolve(root, path).startsWith(`${base}/`)) throw new Error(`${path} is not refused`);
        const { text, failed } = await run(tool, { ...input, path });
        expect([path, text.includes(CANARY)]).toEqual([path, false]);
        expect([path, text.includes("root:x:0")]).toEqual([path, false]);
        if (failed) refused += 1;
        else if (tool === "write") expect(lstatSync(join(root, path)).isFile()).toBe(true);
      }
    }
    expect(refused).toBeGreaterThan(rows.length);
    expect(snapshot(top, root)).toEqual(before);
    expect(readdirSync(dirname(root)).sort()).toEqual([NAME, "workspace"]);
  });
}

test("D4: patterns of the table reach nothing outside", async () => {
  const { top, root, run } = openTools("patterns");
  const before = snapshot(top, root);
  for (const row of rows) {
    for (const pattern of spellings(row)) {
      const found = await run("glob", { pattern });
      expect([pattern, found.text.includes(NAME) && !found.failed]).toEqual([pattern, false]);
      const lines = await run("grep", { pattern: "canary", glob: pattern === "" ? "*" : pattern });
      expect([pattern, lines.text.includes(CANARY)]).toEqual([pattern, false]);
    }
  }
  expect(snapshot(top, root)).toEqual(before);
});
