import { expect, test } from "bun:test";
import { byPerson, openTestBrain } from "../../fixtures/brain.ts";
import type { BrainDisk } from "./disk.ts";
import { createMemoryBrainDisk } from "./memory-disk.ts";

test("files below a folder that cannot be read are not recorded as removed", async () => {
  const real = createMemoryBrainDisk();
  let isShut = false;
  const disk: BrainDisk = {
    ...real,
    tree(folder) {
      const tree = real.tree(folder);
      return {
        ...tree,
        async walk(below, options) {
          const walked = await tree.walk(below, options);
          if (!isShut) return walked;
          const files = walked.files.filter(({ path }) => !path.startsWith("memory/"));
          return { ...walked, files, notes: [{ path: "memory", why: "cannot be looked into (EACCES)" }] };
        },
      };
    },
  };
  const { brain } = await openTestBrain({ disk });
  await brain.write("memory/tea.md", "Ana likes tea.\n", byPerson);
  isShut = true;
  expect(await brain.scan()).toBeUndefined();
  const { files, notes } = await brain.list();
  expect(files.map(({ path }) => path)).toContain("memory/tea.md");
  expect(notes.map(({ path }) => path)).toContain("memory");
});
