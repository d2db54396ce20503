/**
 * Checks the table of faults in docs/faults.md: each named test file exists and contains the row's
 * name.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";

interface FaultRow {
  readonly id: string;
  readonly files: readonly string[];
  readonly waits: string;
}

const readRows = async (): Promise<readonly FaultRow[]> => {
  const text = await Bun.file(join(root, "docs/faults.md")).text();
  return [...text.matchAll(/^\| (R\d+) +\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, id = "", , tests = "", waits = ""]) => ({
      id,
      files: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path),
      waits: waits.trim(),
    }),
  );
};

test("every row of the fault table exists exactly once", async () => {
  const ids = (await readRows()).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 30 }, (_, index) => `R${index + 1}`));
});

test("every row has a test with its name, or states what it needs first", async () => {
  for (const { id, files, waits } of await readRows()) {
    if (files.length === 0) expect([id, waits]).not.toEqual([id, ""]);
    for (const file of files) {
      const text = await Bun.file(join(root, file))
        .text()
        .catch(() => "");
      expect([id, file, text.includes(`${id}: `)]).toEqual([id, file, true]);
    }
  }
});
