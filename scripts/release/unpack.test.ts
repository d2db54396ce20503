import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { writeArchive } from "./archive.ts";
import { isRuntimeCall, unpackOnce } from "./executable/unpack.ts";

let folder: string;
let cache: string;
let archive: Blob;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-unpack-"));
  cache = join(folder, "cache/hearth");
  await mkdir(join(folder, "programs/bin"), { recursive: true });
  await writeFile(join(folder, "programs/bin/run"), "#!/bin/sh\n", { mode: 0o755 });
  await writeFile(join(folder, "programs/text"), "text\n");
  await writeArchive(join(folder, "programs"), join(folder, "programs.tar.zst"));
  archive = Bun.file(join(folder, "programs.tar.zst"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("programs are unpacked once, with their modes, into a folder of the user alone", async () => {
  const path = await unpackOnce({ cache, key: "1", archive });
  expect(path).toBe(join(cache, "1"));
  expect(await readFile(join(path, "text"), "utf8")).toBe("text\n");
  expect((await stat(join(path, "bin/run"))).mode & 0o777).toBe(0o755);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await writeFile(join(path, "text"), "changed\n");
  await unpackOnce({ cache, key: "1", archive });
  expect(await readFile(join(path, "text"), "utf8")).toBe("changed\n");
});

test("concurrent first starts unpack into one folder and leave no draft", async () => {
  await Promise.all([1, 2, 3].map(() => unpackOnce({ cache, key: "1", archive })));
  expect(await readdir(cache)).toEqual(["1"]);
});

test("a damaged archive leaves nothing that a later start would use", async () => {
  const half = archive.slice(0, Math.floor(archive.size / 2));
  await expect(unpackOnce({ cache, key: "1", archive: half })).rejects.toThrow("Cannot unpack the programs into");
  expect(await readdir(cache)).toEqual([]);
  expect(await unpackOnce({ cache, key: "1", archive })).toBe(join(cache, "1"));
});

test("A56: programs that another user could have put into the cache are refused", async () => {
  await mkdir(cache, { recursive: true });
  const start = () => unpackOnce({ cache, key: "1", archive });
  await symlink(join(folder, "programs"), join(cache, "1"));
  await expect(start()).rejects.toThrow("not a folder that only you can write");
  await rm(join(cache, "1"));
  await mkdir(join(cache, "1"));
  await chmod(join(cache, "1"), 0o777);
  await expect(start()).rejects.toThrow("not a folder that only you can write");
  await rm(join(cache, "1"), { recursive: true });
  await chmod(cache, 0o777);
  await expect(start()).rejects.toThrow("not a folder that only you can write");
  await chmod(cache, 0o700);
  expect(await start()).toBe(join(cache, "1"));
});

test("an archive that names a file outside of itself is refused", async () => {
  const path = join(folder, "evil.tar");
  await create({ file: path, cwd: folder, preservePaths: true }, ["programs/../programs/text"]);
  const bytes = Buffer.from(await readFile(path));
  const name = Buffer.from("../../outside");
  const header = bytes.subarray(0, 512);
  header.fill(0, 0, 100);
  name.copy(header);
  // The checksum of a header counts its own field as blanks.
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const evil = new Blob([new Uint8Array(await Bun.zstdCompress(bytes))]);
  await expect(unpackOnce({ cache, key: "1", archive: evil })).rejects.toThrow("outside of itself");
  expect(await readdir(folder)).not.toContain("outside");
});

test("the runtime's calls are told from commands", () => {
  expect(isRuntimeCall(["--no-install", "--no-env-file", "main.ts", "up"])).toBe(true);
  expect(isRuntimeCall(["build", "keeper.ts", "--target=bun"])).toBe(true);
  for (const words of [[], ["up"], ["--help"], ["build"], ["chat", "--no-install"]]) {
    expect(isRuntimeCall(words)).toBe(false);
  }
});

test("the same files give the same archive, whenever and with whatever umask they were written", async () => {
  const other = join(folder, "other");
  await mkdir(join(other, "bin"), { recursive: true, mode: 0o700 });
  await writeFile(join(other, "text"), "text\n", { mode: 0o600 });
  await writeFile(join(other, "bin/run"), "#!/bin/sh\n", { mode: 0o700 });
  await writeArchive(other, join(folder, "other.tar.zst"));
  expect(await Bun.file(join(folder, "other.tar.zst")).bytes()).toEqual(
    await Bun.file(join(folder, "programs.tar.zst")).bytes(),
  );
});
