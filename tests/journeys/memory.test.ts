/** Memory with the real daemon, the memory process, its model and real files. */
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "./daemon.ts";
import { MEMORY, search, textsOf } from "./memory-house.ts";

const INDEX = "brains/main/db/index.db";

/** Posts a message in the direct room with the agent. Resolves with the reply. */
const say = async (daemon: Daemon, text: string): Promise<string> => {
  const { code, stdout, stderr } = await daemon.hearth("chat", "main", "-m", text);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
};

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
