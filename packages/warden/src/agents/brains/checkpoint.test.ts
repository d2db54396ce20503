/** Workspace checkpoints: recorded, shown and undone like other changes, within stated limits. */
import { expect, test } from "bun:test";
import { byBot, byPerson, openTestBrain } from "../../fixtures/brain.ts";
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

test("readers of the brain do not see workspace files", async () => {
  const { files, brain, streams } = await open();
  const head = await streams.head("agent:agent_00000000000000000000000002" as never);
  files.set("main/workspace/a.txt", "one");
  await brain.checkpoint(byBot);
  expect(await streams.head("agent:agent_00000000000000000000000002" as never)).toBe(head);
  expect((await brain.list()).files.map(({ path }) => path)).toEqual(["SOUL.md"]);
});
