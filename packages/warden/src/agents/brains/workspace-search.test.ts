import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createBunBrainTree } from "../../adapter/bun/brain-tree.ts";
import { searchWorkspace } from "./workspace-search.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const open = (files: Readonly<Record<string, string | Uint8Array>>) => {
  const root = mkdtempSync(join(tmpdir(), "hearth-search-"));
  roots.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const tree = createBunBrainTree(root);
  return { root, find: (query: string, limit = 50) => searchWorkspace(tree, query, limit) };
};

test("files are found by the words of their path and of their text, without case and accents", async () => {
  const { find } = open({
    "workspace/reports/Küche 2026.md": "one\nThe BOILER of Vidal\n",
    "workspace/notes.txt": `${"x".repeat(100)} vidal said hello to the kitchen`,
    "MEMORY.md": "vidal",
  });
  expect(await find("vidal boiler")).toEqual([
    {
      path: "reports/Küche 2026.md",
      found: {
        line: 2,
        excerpt: {
          text: "The BOILER of Vidal",
          marks: [
            [4, 10],
            [14, 19],
          ],
        },
      },
    },
  ]);
  expect(await find("kuche")).toEqual([{ path: "reports/Küche 2026.md" }]);
  // One word in the path, the other one in the text.
  expect(await find("kuche boiler")).toMatchObject([{ path: "reports/Küche 2026.md", found: { line: 2 } }]);
  expect((await find("vidal")).map(({ path }) => path)).toEqual(["notes.txt", "reports/Küche 2026.md"]);
  const [note] = await find('"said hello"');
  expect(note?.found?.excerpt.text).toEndWith("vidal said hello to the kitchen");
  expect(await find('"hello said"')).toEqual([]);
  expect(await find("  ?! ")).toEqual([]);
  expect(await find("vidal", 1)).toHaveLength(1);
});

test("links, hidden and foreign folders, binary and large files are not read", async () => {
  const { root, find } = open({
    "workspace/a/node_modules/x.js": "secret",
    "workspace/.git/config": "secret",
    "workspace/data.bin": Uint8Array.from([115, 101, 99, 114, 101, 116, 0]),
    "workspace/latin.txt": Uint8Array.from([...new TextEncoder().encode("secret"), 0xff]),
    "workspace/large-secret.txt": `secret${"x".repeat(600_000)}`,
    "workspace/large.txt": `secret${"x".repeat(600_000)}`,
    "outside.txt": "secret",
  });
  symlinkSync("../outside.txt", join(root, "workspace/link.txt"));
  expect(await find("secret")).toEqual([{ path: "large-secret.txt" }]);
});

test("a brain without a workspace has no hits", async () => {
  expect(await open({ "MEMORY.md": "secret" }).find("secret")).toEqual([]);
});
