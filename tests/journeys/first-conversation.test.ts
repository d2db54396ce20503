import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PromptReport } from "@hearth/protocol";
import { createHome, startDaemon } from "./daemon.ts";

test("the first conversation writes down who the agent and its person are, and its page goes; both are known from then on", async () => {
  using home = createHome();
  const brain = (path: string): string => join(home.folder, "brains/main", path);
  await using house = await startDaemon(home.folder);
  /** What is the same in every turn: the log of the day comes when it comes. */
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

test("a brain that a person brings along has had its first conversation", async () => {
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
