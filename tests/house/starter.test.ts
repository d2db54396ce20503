import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasChecklistContent } from "@hearth/protocol";
import { isToolName, tools } from "@hearth/protocol/tools";
import { root } from "./source.ts";

const folder = join(root, "starter");
const readStarter = async (): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Promise.all(
      (await readdir(folder))
        .filter((name) => name.endsWith(".md"))
        .map(async (name) => [name, await Bun.file(join(folder, name)).text()] as const),
    ),
  );

test("a new brain has the five files of every prompt and the page of the first conversation, and they are short", async () => {
  const files = new Map(await readStarter());
  for (const text of files.values()) expect(text).toMatch(/^# .+\n\n\S/);
  expect(files.get("BOOTSTRAP.md")?.length).toBeLessThan(850);
  files.delete("BOOTSTRAP.md");
  files.delete("HEARTBEAT.md");
  expect([...files.keys()].sort()).toEqual(["AGENTS.md", "IDENTITY.md", "SOUL.md", "TOOLS.md", "USER.md"]);
  expect([...files.values()].join("").length).toBeLessThan(1_900);
});

test("a new heartbeat list is empty, so a heartbeat calls no model until a person adds a line", async () => {
  const list = (await readStarter()).get("HEARTBEAT.md") ?? "";
  expect(hasChecklistContent(list)).toBe(false);
  expect(hasChecklistContent(`${list}\n- the post\n`)).toBe(true);
});

test("the page of the first conversation says how to remove it", async () => {
  expect((await readStarter()).get("BOOTSTRAP.md")).toContain("`write_brain`, path `BOOTSTRAP.md`, mode `remove`");
});

test("the workspace of a new brain has the notes that its rules mention", async () => {
  expect((await readStarter()).get("AGENTS.md")).toContain("`notes.md`");
  expect(await readdir(join(folder, "workspace"))).toEqual(["notes.md"]);
});

test("TOOLS.md names every existing tool and no other", async () => {
  const notes = (await readStarter()).get("TOOLS.md") ?? "";
  const named = [...notes.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "");
  expect(named.filter((name) => !isToolName(name))).toEqual([]);
  expect(Object.keys(tools).filter((name) => !named.includes(name))).toEqual([]);
});
