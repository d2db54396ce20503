import { describe, expect, test } from "bun:test";
import { createMemoryConfigFile } from "./file.ts";
import { loadConfig } from "./load.ts";
import { configTemplate } from "./template.ts";

describe("at start", () => {
  test("a missing file is written from the template", async () => {
    const file = createMemoryConfigFile();
    expect((await loadConfig(file)).config.server.port).toBe(18_789);
    expect(await file.read()).toBe(configTemplate);
    expect(file.backups.size).toBe(0);
  });

  test("a file of this version is unchanged", async () => {
    const file = createMemoryConfigFile("version = 1\n#mine\n");
    expect((await loadConfig(file)).lineOf(["version"])).toBe(1);
    expect(await file.read()).toBe("version = 1\n#mine\n");
    expect(file.backups.size).toBe(0);
  });

  test.each([
    ["# mine\n[server]\nport = 5", "version = 1\n# mine\n[server]\nport = 5"],
    ["\uFEFF# mine\r\n", "\uFEFFversion = 1\r\n# mine\r\n"],
    ["", "version = 1\n"],
  ])("%p, without a version, gets one at the top, keeps every other byte, and is backed up", async (text, lifted) => {
    const file = createMemoryConfigFile(text);
    const { config, lineOf } = await loadConfig(file);
    expect(lineOf(["version"])).toBe(1);
    expect(config.server.port).toBe(text.includes("port") ? 5 : 18_789);
    expect(await file.read()).toBe(lifted);
    expect(file.backups).toEqual(new Map([[".v0.bak", text]]));
  });

  test.each(["version = 2\n", "version = 0\n", "version = -1\n", "version = 0.5\n", 'version = "0"\n', "version = \n"])(
    "%p is refused, and the file stays unchanged",
    async (text) => {
      const file = createMemoryConfigFile(text);
      expect(await loadConfig(file).catch((error: unknown) => error)).toMatchObject({ code: "config.invalid" });
      expect(await file.read()).toBe(text);
      expect(file.backups.size).toBe(0);
    },
  );
});

describe("the template", () => {
  test("is a config without warnings", async () => {
    expect((await loadConfig(createMemoryConfigFile(configTemplate))).warnings).toEqual([]);
  });

  test("with every example uncommented is valid too, and covers all settings", async () => {
    const all = configTemplate.replace(/^#(?=[a-z[])/gm, "");
    const { config, warnings } = await loadConfig(createMemoryConfigFile(all));
    expect(warnings).toEqual([]);
    expect([...config.providers.keys()]).toEqual(["anthropic", "local", "main", "any"]);
    expect(config.agents.get("main")?.heartbeat).toEqual({
      ...{ every: "30m", hours: { from: "08:00", to: "22:00" }, room: "kitchen", always: true },
      budget: { money: 500_000, tokens: 200_000 },
    });
    expect(Object.keys(config.agents.get("main") ?? {}).sort()).toEqual([
      "cell",
      "description",
      "fallback",
      "heartbeat",
      "model",
      "prompt",
      "timezone",
      "tools",
    ]);
    expect(all).toContain("\nidle_seconds = 300");
  });
});
