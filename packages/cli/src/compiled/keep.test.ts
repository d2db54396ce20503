import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCompiled, type CompileFolders } from "./compiled.ts";
import { recompileIfStale } from "./keep.ts";

const folder = await mkdtemp(join(tmpdir(), "hearth-keep-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A house with one source, and an empty place for its compiled program. */
const makePlace = async (): Promise<CompileFolders & { readonly source: string }> => {
  const own = await mkdtemp(join(folder, "place-"));
  const root = join(own, "house");
  const source = join(root, "packages/cli/src/command-line.ts");
  await mkdir(join(source, ".."), { recursive: true });
  await writeFile(source, "export const x = 1;\n");
  return { root, folder: join(own, "kept"), source };
};

const atOnce = async (): Promise<void> => {};
const { signal } = new AbortController();

test("a house that stops before the delay compiles nothing", async () => {
  const place = await makePlace();
  await recompileIfStale(place, () => Promise.reject(new Error("ended")), signal);
  expect(findCompiled(place)).toBeUndefined();
});

test("after the delay, a house compiles changed sources", async () => {
  const place = await makePlace();
  await recompileIfStale(place, atOnce, signal);
  const first = findCompiled(place);
  expect(first).toBeDefined();
  await recompileIfStale(place, atOnce, signal);
  expect(findCompiled(place)).toBe(first);
  await writeFile(place.source, "export const x = 2;\n");
  await recompileIfStale(place, atOnce, signal);
  expect(findCompiled(place)).toBeDefined();
  expect(findCompiled(place)).not.toBe(first);
});

test("a current program is kept", async () => {
  const place = await makePlace();
  const build = async (): Promise<string | undefined> => {
    const program = join(import.meta.dir, "build.ts");
    expect(await Bun.spawn([process.execPath, "--no-install", program, place.root, place.folder]).exited).toBe(0);
    return findCompiled(place);
  };
  const first = await build();
  expect(first).toBeDefined();
  expect(await build()).toBe(first);
  await writeFile(place.source, "export const x = 3;\n");
  expect(await build()).not.toBe(first);
});

test("a failed compilation is ignored", async () => {
  const place = await makePlace();
  await writeFile(place.folder, "");
  await recompileIfStale(place, atOnce, signal);
  expect(findCompiled(place)).toBeUndefined();
  expect((await stat(place.folder)).isFile()).toBe(true);
});
