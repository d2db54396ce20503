import { expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFileConformance } from "../../kernel/config/file.conformance.ts";
import { createConfigFile } from "./config-file.ts";

const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-config-"));
  const path = join(folder, "hearth.toml");
  return { folder, path, file: createConfigFile(path), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
};

configFileConformance("disk", async () => {
  const folder = await openFolder();
  return {
    ...folder,
    readBackup: async (suffix) =>
      (await readdir(folder.folder)).includes(`hearth.toml${suffix}`)
        ? readFile(folder.path + suffix, "utf8")
        : undefined,
  };
});

test("the file and its backups become readable for the owner only", async () => {
  await using home = await openFolder();
  await writeFile(home.path, "old", { mode: 0o644 });
  await home.file.backup(".bak");
  await home.file.write("new");
  for (const path of [home.path, `${home.path}.bak`]) expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a write that fails leaves the old text and no draft", async () => {
  await using home = await openFolder();
  await home.file.write("old");
  // A folder in the place of a backup makes the last step, the renaming, fail.
  await Bun.write(join(home.folder, "hearth.toml.bak", "inside"), "");
  expect(await home.file.backup(".bak").catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect((await readdir(home.folder)).sort()).toEqual(["hearth.toml", "hearth.toml.bak"]);
  expect(await home.file.read()).toBe("old");
});

test("a link stays a link, and its target is rewritten", async () => {
  await using home = await openFolder();
  const real = join(home.folder, "dotfiles.toml");
  await writeFile(real, "old");
  await symlink(real, home.path);
  await home.file.write("new");
  expect(await readFile(real, "utf8")).toBe("new");
  expect(await home.file.read()).toBe("new");
  expect(
    (await readdir(home.folder, { withFileTypes: true }))
      .find((entry) => entry.name === "hearth.toml")
      ?.isSymbolicLink(),
  ).toBeTrue();
});

test("an unreadable file is an error, not a missing file", async () => {
  await using home = await openFolder();
  expect(
    await createConfigFile(home.folder)
      .read()
      .catch((error: unknown) => error),
  ).toBeInstanceOf(Error);
});
