/** Memory with the real daemon, the memory process, its model and real files. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon } from "./daemon.ts";
import { MEMORY, search, textsOf } from "./memory-house.ts";

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
