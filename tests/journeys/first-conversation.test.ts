import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PromptReport } from "@hearth/protocol/api";
import { createHome, startDaemon } from "./daemon.ts";

test("the first conversation records the agent and its person and removes its page; later turns know both", async () => {
  using home = createHome();
  const brain = (path: string): string => join(home.folder, "brains/main", path);
  await using house = await startDaemon(home.folder);
  /** The part of the prompt that is equal in every turn, without the day's log. */
  const names = async (): Promise<readonly string[]> => {
    const { stdout } = await house.hearth("agent", "show", "main", "--prompt", "--json");
    return PromptReport.parse(JSON.parse(stdout)).parts.flatMap(({ name, place }) =>
      place === "prefix" ? [name] : [],
    );
  };
  expect((await house.hearth("chat", "-m", "hello")).code).toBe(0);
  expect(await names()).toContain("BOOTSTRAP.md");
  expect((await house.hearth("chat", "-m", "Please call me Ana.")).stdout).toContain("I will call you Ana.");
  expect(existsSync(brain("BOOTSTRAP.md"))).toBe(true);
  expect((await house.hearth("chat", "-m", "Your name is Robin")).stdout).toContain("I am Robin");
  expect(existsSync(brain("BOOTSTRAP.md"))).toBe(false);
  expect(await readFile(brain("USER.md"), "utf8")).toContain("They like to be called Ana.");
  expect(await readFile(brain("IDENTITY.md"), "utf8")).toContain("Your name is Robin.");
  expect(await names()).toEqual(["IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "TOOLS.md"]);

  const table = await house.hearth("agent", "show", "main", "--prompt", "--text");
  expect(table.stdout).toMatch(/PART +PLACE +CHARACTERS +TOKENS/);
  expect(table.stdout).toContain("Your name is Robin.");
  expect(await house.hearth("agent", "show", "main", "--text")).toMatchObject({ code: 2 });
});

test("an existing brain skips the first conversation", async () => {
  using home = createHome();
  const folder = join(home.folder, "brains/old");
  await using house = await startDaemon(home.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "SOUL.md"), "You are an old hand.\n");
  expect((await house.hearth("agent", "add", "Old")).code).toBe(0);
  expect((await house.hearth("chat", "old", "-m", "hello")).code).toBe(0);
  expect(existsSync(join(folder, "BOOTSTRAP.md"))).toBe(false);
  expect(await readFile(join(folder, "SOUL.md"), "utf8")).toBe("You are an old hand.\n");
});
