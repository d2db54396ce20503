/** Folders that people bring along, on a real disk: another program's layout, and a hostile one. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createBunBrainDisk } from "../../adapter/bun/brain-disk.ts";
import { byBot, byPerson, openTestBrain } from "../../fixtures/brain.ts";

/** The layout of OpenClaw. */
const WORKSPACE: Readonly<Record<string, string>> = {
  "AGENTS.md": "# Agents\n\nRead SOUL.md first.\n",
  "SOUL.md": "# Soul\n\n## Boundaries\n\n- Private things stay private.\n",
  "IDENTITY.md": "- **Name:** Clawd\r\n- **Emoji:** 🦞\r\n",
  "USER.md": "\ufeffName: Ana\n",
  "TOOLS.md": "ssh: home-server\n",
  "HEARTBEAT.md": "",
  "MEMORY.md": "# Long term\n\nAna likes tea.",
  "memory/2026-01-30.md": "- met Bea\n",
  "memory/2026-01-31.md": "- bought tea\n",
  "memory/projects/garden.md": "# Garden\n",
  "skills/weather/SKILL.md": "---\nname: weather\n---\n\nAlways say the source.\n",
  "canvas/index.html": "<!doctype html>",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".openclaw/state.json": "{}",
};

let root: string;
const at = (path: string): string => join(root, "main", path);
const put = (path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const open = () =>
  openTestBrain({
    disk: createBunBrainDisk(root, { durability: "process" }),
    starter: { "SOUL.md": "starter", "NEW.md": "starter" },
  });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hearth-dropped-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a folder in OpenClaw's layout", () => {
  beforeEach(() => {
    for (const [path, text] of Object.entries(WORKSPACE)) put(path, text);
  });

  test("is adopted unchanged: every file reads to the byte, none is overwritten, and no approval is needed", async () => {
    const { brain, guarded } = await open();
    for (const [path, text] of Object.entries(WORKSPACE)) {
      expect(readFileSync(at(path), "utf8")).toBe(text);
      if (!path.startsWith(".")) expect([path, await brain.read(path)]).toEqual([path, text]);
    }
    const { files, notes } = await brain.list();
    const paths = Object.keys(WORKSPACE).filter((path) => !path.startsWith("."));
    expect(files.map(({ path }) => path)).toEqual([...paths, "NEW.md"].sort());
    expect([notes, await brain.proposals({}), guarded]).toEqual([[], [], []]);
    const [first] = await brain.log({ limit: 1 });
    expect([first?.kind, first?.versions.length]).toEqual(["hand", files.length]);
  });

  test("supports all later work: daily logs, guarded boundaries, undo", async () => {
    const { brain, guarded, world } = await open();
    await world.advance(1000);
    const since = world.clock.now();
    await brain.append("memory/2026-01-31.md", "- rain", byBot);
    expect((await brain.append("SOUL.md", "- Never mind.", byBot)).kind).toBe("proposed");
    expect((await brain.write("HEARTBEAT.md", "Look at the garden.\n", byBot)).kind).toBe("written");
    expect((await brain.write("TOOLS.md", "ssh: elsewhere\n", byBot)).kind).toBe("proposed");
    expect(guarded).toEqual(["halt", "halt"]);
    await brain.write("IDENTITY.md", undefined, byPerson);
    await brain.undo({ since }, byPerson);
    for (const [path, text] of Object.entries(WORKSPACE)) expect(readFileSync(at(path), "utf8")).toBe(text);
  });
});

describe("a hostile folder", () => {
  test("opens, names what it leaves out, and reveals nothing outside itself", async () => {
    writeFileSync(join(root, "secret.md"), "canary");
    put("SOUL.md", "mine\n");
    symlinkSync(join(root, "secret.md"), at("USER.md"));
    symlinkSync(root, at("memory"));
    Bun.spawnSync(["mkfifo", at("MEMORY.md")]);
    put("empty.md", "");
    put("skills/binary/SKILL.md", new Uint8Array([0, 159, 146, 150]));
    put("AGENTS.md", new Uint8Array(50 * 1024 * 1024).fill(0x61));
    const { brain } = await open();
    const said = async (path: string): Promise<string> => (await brain.read(path)) ?? "";
    for (const path of ["USER.md", "MEMORY.md", "memory/secret.md"]) expect(await said(path)).not.toContain("canary");
    expect(await said("USER.md")).toContain("is a link");
    expect(await said("MEMORY.md")).toContain("not a regular file");
    expect(await said("AGENTS.md")).toContain("AGENTS.md is left out: it has 52428800 bytes");
    expect(await said("skills/binary/SKILL.md")).toContain("not text");
    expect(await said("empty.md")).toBe("");
    const { files, notes } = await brain.list();
    expect(notes.map(({ path }) => path).sort()).toEqual(["MEMORY.md", "USER.md", "memory"]);
    expect(files.map(({ path }) => path)).toEqual([
      "AGENTS.md",
      "NEW.md",
      "SOUL.md",
      "empty.md",
      "skills/binary/SKILL.md",
    ]);
    for (const path of ["USER.md", "memory/secret.md"])
      await expect(brain.write(path, "evil", byPerson)).rejects.toMatchObject({ code: "brain.path" });
    expect(readFileSync(join(root, "secret.md"), "utf8")).toBe("canary");
    // A version can hold fifty million bytes too.
    const gone = await brain.write("AGENTS.md", undefined, byPerson);
    await brain.undo({ change: gone.kind === "written" ? gone.change : ("" as never) }, byPerson);
    expect(readFileSync(at("AGENTS.md")).length).toBe(50 * 1024 * 1024);
  });

  test("that changes during a read still reads as one consistent state", async () => {
    const { brain } = await open();
    const texts = ["a", "b"].map((letter) => `${letter.repeat(200_000)}\n`);
    put("memory/a.md", texts[0] ?? "");
    for (let count = 0; count < 20; count += 1) {
      const reading = brain.read("memory/a.md");
      put("memory/a.md.tmp", texts[count % 2] ?? "");
      renameSync(at("memory/a.md.tmp"), at("memory/a.md"));
      expect(texts).toContain((await reading) ?? "");
    }
    appendFileSync(at("memory/a.md"), "c\n");
    expect((await brain.read("memory/a.md"))?.endsWith("\nc\n")).toBe(true);
  });

  test("whose files have second hard links is readable, and a write leaves the other link unchanged", async () => {
    writeFileSync(join(root, "twin.md"), "twin\n");
    mkdirSync(at(""), { recursive: true });
    linkSync(join(root, "twin.md"), at("USER.md"));
    const { brain } = await open();
    await brain.append("USER.md", "mine", byPerson);
    expect([await brain.read("USER.md"), readFileSync(join(root, "twin.md"), "utf8")]).toEqual([
      "twin\nmine\n",
      "twin\n",
    ]);
  });

  test("is added to until it has 16 MiB, and no further", async () => {
    const mebibytes = 1024 * 1024;
    mkdirSync(at(""), { recursive: true });
    writeFileSync(at("USER.md"), `${"x".repeat(16 * mebibytes - 5)}\n`);
    const { brain } = await open();
    expect((await brain.append("USER.md", "abc", byPerson)).kind).toBe("written");
    expect(await brain.append("USER.md", "", byPerson).catch((error: Error) => error.message)).toContain("USER.md");
  });
});
