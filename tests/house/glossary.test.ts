/** The glossary names types that exist, so that a renamed type changes its line. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readRepository, root } from "./source.ts";

/** The third column of each row of `docs/glossary.md`. */
const namedTypes = async (): Promise<readonly string[]> => {
  const text = await Bun.file(join(root, "docs/glossary.md")).text();
  return text.split("\n").flatMap((line) => {
    const column = line.startsWith("|") ? (line.split("|")[3] ?? "") : "";
    return [...column.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  });
};

test("every type that the glossary names is exported by production code", async () => {
  const { files } = await readRepository();
  const exported = new Set(
    files
      .filter(({ path }) => path.startsWith("packages/") && !/\.(test|conformance)\.tsx?$/.test(path))
      .flatMap((file) => file.exports.map(({ name }) => name)),
  );
  const names = await namedTypes();
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !exported.has(name))).toEqual([]);
});
