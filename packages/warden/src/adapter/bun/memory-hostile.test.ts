/**
 * Tests malformed files in a real folder with a real index: none prevents others from being found,
 * and each skipped file is reported.
 */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOT, openTestBrain } from "../../fixtures/brain.ts";
import { ask, openTestMemory } from "../../fixtures/memory.ts";
import { createBunBrainDisk } from "./brain-disk.ts";
import { createBunMemory } from "./memory.ts";
import { createBunWorld } from "./world.ts";

const open = async () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-hostile-"));
  const { hash } = createBunWorld();
  const config = { backend: "sqlite", embedder: "none", idleSeconds: 600, topK: 5, tuning: {} } as const;
  const house = await openTestBrain({ disk: createBunBrainDisk(root, { durability: "process" }) });
  const memory = openTestMemory(house, createBunMemory({ config, brains: root, hash }));
  const brain = join(root, "main");
  mkdirSync(join(brain, "memory"), { recursive: true });
  return {
    memory,
    root,
    put: (name: string, bytes: string | Uint8Array) => writeFileSync(join(brain, name), bytes),
    link: (name: string, to: string) => symlinkSync(to, join(brain, name)),
    places: async (query: string) =>
      (await memory.recall(ask(query))).found.map(({ path, lines }) => `${path}:${lines.join("-")}`),
    status: () => memory.status(BOT.id),
    async [Symbol.asyncDispose]() {
      await memory[Symbol.asyncDispose]();
      await house.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
};

const leftOutOf = async (house: Awaited<ReturnType<typeof open>>): Promise<readonly string[]> =>
  (await house.status()).leftOut.map(({ path, why }) => `${path} ${why}`).sort();

test("empty files, foreign line ends and byte order marks do not affect line numbers", async () => {
  await using house = await open();
  house.put("empty.md", "");
  house.put("blank.md", "\n\n \t\n");
  house.put("windows.md", "# Shed\r\n\r\nThe bicycle is red.\r\nThe ladder is long.\r\n");
  house.put("mark.md", "\uFEFF# Cellar\n\nThe barrel is full.\n");
  house.put("old.md", "The anvil\ris heavy.\r");
  expect(await house.places("bicycle")).toEqual(["windows.md:1-4"]);
  expect(await house.places("barrel")).toEqual(["mark.md:1-3"]);
  expect((await house.places("anvil"))[0]).toStartWith("old.md:");
  expect(await leftOutOf(house)).toEqual([]);
});

test("binary, malformed and oversized files are reported as skipped, and are indexed once fixed", async () => {
  await using house = await open();
  house.put("good.md", "The bicycle is red.\n");
  house.put(
    "binary.md",
    Uint8Array.from({ length: 5000 }, (_, at) => at % 256),
  );
  // Half of a surrogate pair, as some programs write it: invalid UTF-8.
  house.put("half.md", Uint8Array.from([0x61, 0xed, 0xa0, 0x80, 0x62]));
  house.put("control.md", "\u0001\u0002\u0003\u0004\u0005\n");
  house.put("large.md", `${"The bicycle is red. ".repeat(60_000)}\n`);
  expect(await house.places("bicycle")).toEqual(["good.md:1-1"]);
  expect(await leftOutOf(house)).toEqual([
    "binary.md is not text in UTF-8",
    "control.md is not text: only text files are indexed",
    "half.md is not text in UTF-8",
    "large.md has 1200001 bytes, and at most 1048576 are indexed",
  ]);
  house.put("half.md", "The anvil is heavy.\n");
  house.put("large.md", "The ladder is long.\n");
  house.put("control.md", "The barrel is full.\n");
  expect(await house.places("anvil ladder barrel")).toHaveLength(3);
  expect(await leftOutOf(house)).toEqual(["binary.md is not text in UTF-8"]);
});

test("a link out of the brain is not followed, and is reported", async () => {
  await using house = await open();
  writeFileSync(join(house.root, "outside.md"), "The canary sings.\n");
  mkdirSync(join(house.root, "elsewhere"));
  writeFileSync(join(house.root, "elsewhere/note.md"), "The canary sings.\n");
  house.put("good.md", "The bicycle is red.\n");
  house.link("link.md", join(house.root, "outside.md"));
  house.link("memory/up.md", "../../outside.md");
  house.link("folder", join(house.root, "elsewhere"));
  house.link("circle.md", "circle.md");
  expect(await house.places("canary")).toEqual([]);
  expect(await house.places("bicycle")).toEqual(["good.md:1-1"]);
  const leftOut = (await house.status()).leftOut.map(({ path }) => path).sort();
  expect(leftOut).toEqual(["circle.md", "folder", "link.md", "memory/up.md"]);
});

test("endless headings, a line without an end and ten thousand short lines are found at their positions", async () => {
  await using house = await open();
  house.put(
    "deep.md",
    `${Array.from({ length: 3000 }, (_, at) => `${"#".repeat((at % 6) + 1)} Part ${at}\n`).join("")}The anvil is heavy.\n`,
  );
  house.put("long.md", `${"word ".repeat(100_000)}The barrel is full.`);
  house.put("lines.md", `${"x\n".repeat(10_000)}The bicycle is red.\n`);
  expect((await house.places("anvil"))[0]).toEndWith("-3001");
  expect((await house.places("barrel"))[0]).toBe("long.md:1-1");
  expect((await house.places("bicycle"))[0]).toEndWith("-10001");
});

test("a file that changes while it is read is found in its last version, and no other file is lost", async () => {
  await using house = await open();
  house.put("good.md", "The bicycle is red.\n");
  let isOver = false;
  const writing = (async () => {
    for (let round = 0; !isOver; round += 1) {
      house.put("moving.md", `Round ${round}.\n${"The anvil is heavy.\n".repeat(round % 50)}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let round = 0; round < 20; round += 1) expect(await house.places("bicycle")).toEqual(["good.md:1-1"]);
  isOver = true;
  await writing;
  house.put("moving.md", "The ladder is long.\n");
  expect(await house.places("ladder")).toEqual(["moving.md:1-1"]);
  expect(await house.places("anvil")).toEqual([]);
  expect(await leftOutOf(house)).toEqual([]);
});
