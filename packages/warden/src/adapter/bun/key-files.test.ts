import { expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyFilesConformance } from "../../kernel/config/key-files.conformance.ts";
import { createBunKeyFiles, createKeyReader } from "./key-files.ts";

const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-keys-"));
  return {
    folder,
    keys: createBunKeyFiles(folder),
    read: createKeyReader(folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
};
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

keyFilesConformance("disk", openFolder);

test("folder and files become accessible to the owner only", async () => {
  await using home = await openFolder();
  await mkdir(join(home.folder, "keys"));
  await chmod(join(home.folder, "keys"), 0o755);
  await writeFile(join(home.folder, "keys/one"), "old");
  // A leftover of a crash is overwritten, whatever its mode.
  await writeFile(join(home.folder, "keys/one.new"), "half");
  for (const name of ["one", "one.new"]) await chmod(join(home.folder, "keys", name), 0o644);
  await home.keys.write("one", "new");
  expect([await modeOf(join(home.folder, "keys")), await modeOf(join(home.folder, "keys/one"))]).toEqual([
    0o700, 0o600,
  ]);
});

test("a link in the place of a key is replaced, and its target stays unchanged", async () => {
  await using home = await openFolder();
  const other = join(home.folder, "other");
  await writeFile(other, "not a key");
  await mkdir(join(home.folder, "keys"));
  await symlink(other, join(home.folder, "keys/one"));
  await home.keys.write("one", "sk-one");
  expect(await readFile(other, "utf8")).toBe("not a key");
  expect(await home.read("keys/one")).toBe("sk-one");
});

test("a key that cannot be stored gives an error without the key, and leaves no draft", async () => {
  await using home = await openFolder();
  await mkdir(join(home.folder, "keys/one/inside"), { recursive: true });
  const error: unknown = await home.keys.write("one", "sk-one").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "home.read-only", message: expect.stringContaining("keys/one") });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("sk-one");
  expect(await readdir(join(home.folder, "keys"))).toEqual(["one"]);
});

test("removing a key also removes a draft that a crash left", async () => {
  await using home = await openFolder();
  await home.keys.write("one", "sk-one");
  await writeFile(join(home.folder, "keys/one.new"), "sk-o");
  await home.keys.remove("one");
  expect(await readdir(join(home.folder, "keys"))).toEqual([]);
});

test("a `file:` reference is read relative to the home folder or from an absolute path", async () => {
  await using home = await openFolder();
  await writeFile(join(home.folder, "mine"), "sk-mine\n");
  expect(await home.read("mine")).toBe("sk-mine\n");
  expect(await home.read(join(home.folder, "mine"))).toBe("sk-mine\n");
  expect(await home.read("gone")).toBeUndefined();
  // A folder is not a key either.
  expect(await home.read(".")).toBeUndefined();
});
