/** Workspace checkpoints: recorded, shown and undone like other changes, within stated limits. */
import { expect, test } from "bun:test";
import { byBot, byPerson, openTestBrain } from "../../fixtures/brain.ts";
import type { WalkOptions } from "./disk.ts";
import { createMemoryBrainDisk, type MemoryFiles } from "./memory-disk.ts";

const open = async () => {
  const files: MemoryFiles = new Map<string, string | Uint8Array>();
  return { files, ...(await openTestBrain({ disk: createMemoryBrainDisk(files) })) };
};

test("a checkpoint lists added, changed and removed files under the turn that left them, and is skipped when nothing changed", async () => {
  const { files, brain, world } = await open();
  files.set("main/workspace/a.txt", "one");
  files.set("main/workspace/deep/b.txt", "two");
  const first = await brain.checkpoint(byBot);
  expect(first).toMatchObject({ kind: "checkpoint", by: byBot.agent, activation: byBot.activation });
  expect(await brain.checkpoint(byBot)).toBeUndefined();
  files.set("main/workspace/a.txt", "other");
  files.delete("main/workspace/deep/b.txt");
  const second = await brain.checkpoint(byBot);
  expect(second?.versions).toEqual([
    { path: "workspace/a.txt", before: world.hash("one"), after: world.hash("other"), isErased: false },
    { path: "workspace/deep/b.txt", before: world.hash("two"), isErased: false },
  ]);
  await brain.undo({ change: second?.id as never }, byPerson);
  expect([files.get("main/workspace/a.txt"), files.get("main/workspace/deep/b.txt")]).toEqual(["one", "two"]);
});

test("derived files are omitted and named, and a file that no longer fits does not count as removed", async () => {
  const { files, brain } = await open();
  files.set("main/workspace/.git/HEAD", "x");
  for (const folder of ["inbox", "rooms/room_1/inbox"])
    files.set(`main/workspace/${folder}/0123456789abcdef-a.pdf`, "x");
  files.set("main/workspace/app/node_modules/x/index.js", "x");
  files.set("main/workspace/big.bin", "small");
  expect((await brain.checkpoint(byBot))?.versions.map(({ path }) => path)).toEqual(["workspace/big.bin"]);
  files.set("main/workspace/big.bin", new Uint8Array(65 * 1024 * 1024));
  files.set("main/workspace/new.txt", "x");
  const change = await brain.checkpoint(byBot);
  expect(change?.versions.map(({ path }) => path)).toEqual(["workspace/new.txt"]);
  expect(change?.note).toContain("workspace/big.bin (has 68157440 bytes");
  expect(change?.note).toContain("workspace/.git (derived)");
});

test("a checkpoint whose walk ended at its limit names the limit, and records only missing files as removed", async () => {
  const files: MemoryFiles = new Map<string, string | Uint8Array>();
  const disk = createMemoryBrainDisk(files);
  let limit = 3;
  const tree = (folder: string) => {
    const whole = disk.tree(folder);
    return {
      ...whole,
      walk: (path: string, options: WalkOptions) => whole.walk(path, { ...options, maxFiles: limit }),
    };
  };
  const { brain } = await openTestBrain({ disk: { ...disk, tree } });
  for (const name of ["a", "b", "c"]) files.set(`main/workspace/${name}.txt`, name);
  expect((await brain.checkpoint(byBot))?.versions).toHaveLength(3);
  limit = 1;
  files.set("main/workspace/a.txt", "other");
  files.delete("main/workspace/c.txt");
  const change = await brain.checkpoint(byBot);
  expect(change?.versions.map(({ path }) => path)).toEqual(["workspace/a.txt", "workspace/c.txt"]);
  expect(change?.note).toContain("more than 1 files");
});

test("a checkpoint of many files is several changes, so that no commit blocks the daemon", async () => {
  const { files, brain } = await open();
  for (let count = 0; count < 2100; count += 1) files.set(`main/workspace/${count}`, "same");
  expect((await brain.checkpoint(byBot))?.versions).toHaveLength(100);
  expect(await brain.checkpoint(byBot)).toBeUndefined();
});

test("readers of the brain do not see workspace files", async () => {
  const { files, brain, streams } = await open();
  const head = await streams.head("agent:agent_00000000000000000000000002" as never);
  files.set("main/workspace/a.txt", "one");
  await brain.checkpoint(byBot);
  expect(await streams.head("agent:agent_00000000000000000000000002" as never)).toBe(head);
  expect((await brain.list()).files.map(({ path }) => path)).toEqual(["SOUL.md"]);
});
