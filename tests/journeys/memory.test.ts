/** Memory with the real daemon, the memory process, its model and real files. */
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "./daemon.ts";

const MEMORY = "brains/main/MEMORY.md";
const INDEX = "brains/main/db/index.db";

/** Posts a message in the direct room with the agent. Resolves with the reply. */
const say = async (daemon: Daemon, text: string): Promise<string> => {
  const { code, stdout, stderr } = await daemon.hearth("chat", "main", "-m", text);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
};

const search = async (daemon: Daemon, query: string) => {
  const { code, stdout } = await daemon.hearth("memory", "search", query, "--json");
  expect(code).toBe(0);
  return JSON.parse(stdout) as { mode: string; found: { path: string; text: string; lines: [number, number] }[] };
};

const textsOf = ({ found }: Awaited<ReturnType<typeof search>>): string => found.map(({ text }) => text).join("\n");

/** Retries a search by meaning. Until the embedding model is loaded, only word search answers. */
const untilFound = (daemon: Daemon, query: string, text: string): Promise<void> =>
  until(async () => {
    const answer = await search(daemon, query);
    return answer.mode === "hybrid" && textsOf(answer).includes(text);
  });

test("a remembered fact is found by other words after a restart, an edit by hand is found, and a deleted index is rebuilt", async () => {
  using home = createHome();
  {
    await using daemon = await startDaemon(home.folder);
    await say(daemon, "remember my sister's wedding is on the ninth of August");
    expect(readFileSync(join(home.folder, MEMORY), "utf8")).toMatch(/^- \d{4}-\d\d-\d\d, @\w+: my sister's wedding/);
    // There was no recall yet.
    expect(existsSync(join(home.folder, INDEX))).toBe(false);
    await daemon.stop();
  }
  await using daemon = await startDaemon(home.folder);
  appendFileSync(join(home.folder, MEMORY), "- The spare key hangs behind the water meter.\n");
  await untilFound(daemon, "when does she get married?", "ninth of August");
  await untilFound(daemon, "how do I get in when everyone is out", "behind the water meter");
  expect(await say(daemon, "what do you know about the water meter?")).toContain("spare key");

  await daemon.stop();
  rmSync(join(home.folder, "brains/main/db"), { recursive: true });
  await using again = await startDaemon(home.folder);
  await untilFound(again, "when does she get married?", "ninth of August");
  expect(existsSync(join(home.folder, INDEX))).toBe(true);
  await until(async () => (await again.hearth("memory", "check")).code === 0);
  await again.stop();
});

test("only the newer fact is found after a replacement; a forgotten fact remains only in the message that stated it", async () => {
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  const { hearth } = daemon;
  expect((await hearth("memory", "remember", "The doctor is called Quillfeather.")).stdout).toBe(
    "stored in MEMORY.md\n",
  );
  const replaced = await hearth(
    "memory",
    "remember",
    "The doctor is called Marsh.",
    "--replaces",
    "doctor is called Quill",
  );
  expect(replaced).toMatchObject({ code: 0, stderr: expect.stringContaining("replaced: ") });
  const doctor = textsOf(await search(daemon, "who is the doctor?"));
  expect([doctor.includes("Marsh"), doctor.includes("Quillfeather")]).toEqual([true, false]);

  expect((await hearth("memory", "forget", "MEMORY.md:1")).code).toBe(0);
  expect((await hearth("memory", "forget", "MEMORY.md:99")).stderr).toContain("No memory comes from");
  expect(readFileSync(join(home.folder, MEMORY), "utf8")).not.toContain("Quillfeather");
  await daemon.stop();
  const { stdout } = Bun.spawnSync(["grep", "-rl", "Quillfeather", home.folder]);
  expect(String(stdout)).toBe("");
});
