import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "./compile.ts";
import { findCompiled, MANIFEST_FILE, type Manifest, ownFolders, type CompileFolders } from "./compiled.ts";

const folder = await mkdtemp(join(tmpdir(), "hearth-compiled-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in its own process and returns its output. */
const say = async (program: string | undefined, words = "", code = ""): Promise<string> => {
  const runner = join(folder, "runner.ts");
  await writeFile(runner, `const it = await import(${JSON.stringify(program)});\n${code}\n`);
  const child = Bun.spawn([process.execPath, "--no-install", runner, words], { cwd: folder, stderr: "inherit" });
  return (await child.stdout.text()).trim();
};

describe("the compiled program", () => {
  const root = join(folder, "house");
  const place: CompileFolders = { root, folder: join(folder, "kept") };
  const entry = join(root, "main.ts");
  const word = join(root, "word.ts");

  beforeEach(async () => {
    await rm(root, { recursive: true, force: true });
    await rm(place.folder, { recursive: true, force: true });
    await mkdir(root);
    await writeFile(join(root, "package.json"), `{ "type": "module" }`);
    await writeFile(
      entry,
      `import { word } from "./word.ts";\nconsole.log(word, import.meta.url, import.meta.main);\n`,
    );
    await writeFile(word, `export const word: string = "old";\n`);
    await utimes(word, 1, 1);
    await compile(place, entry);
  });

  test("is found and behaves like the sources", async () => {
    expect(await say(findCompiled(place))).toBe(`old ${Bun.pathToFileURL(entry).href} false`);
  });

  test("reports errors with source positions", async () => {
    await writeFile(entry, `\n\nexport const fail = (): string => {\n  return new Error("x").stack ?? "";\n};\n`);
    await compile(place, entry);
    expect(await say(findCompiled(place), "", "console.log(it.fail());")).toContain(`${entry}:4:`);
  });

  test("keeps only line numbers of the source map", async () => {
    expect(await readFile(`${findCompiled(place)}.map`, "utf8")).toContain(`"sourcesContent":[null,null]`);
  });

  test("is not used after a source changed, even with the same length and time", async () => {
    await writeFile(word, `export const word: string = "new";\n`);
    await utimes(word, 1, 1);
    expect(findCompiled(place)).toBeUndefined();
    await compile(place, entry);
    expect(await say(findCompiled(place))).toStartWith("new ");
  });

  test("is not used after a source was removed or replaced", async () => {
    await cp(word, `${word}.other`, { preserveTimestamps: true });
    await rm(word);
    expect(findCompiled(place)).toBeUndefined();
    await cp(`${word}.other`, word, { preserveTimestamps: true });
    expect(findCompiled(place)).toBeUndefined();
  });

  test("is not used after build settings changed", async () => {
    await writeFile(join(root, "package.json"), `{ "type": "module", "name": "x" }`);
    expect(findCompiled(place)).toBeUndefined();
  });

  test("depends on the compiler sources too", async () => {
    const { files } = JSON.parse(await readFile(join(place.folder, MANIFEST_FILE), "utf8")) as Manifest;
    const made = files.map(([path]) => join(root, path));
    for (const name of ["compile.ts", "line-map.ts"]) expect(made).toContain(join(import.meta.dir, name));
  });

  test("is not used for a copy of the sources elsewhere", () => {
    expect(findCompiled({ ...place, root: `${folder}/./house` })).toBeUndefined();
  });

  test("is not used by another build of the runtime", async () => {
    const origin = JSON.parse(await readFile(join(place.folder, MANIFEST_FILE), "utf8")) as Manifest;
    await writeFile(join(place.folder, MANIFEST_FILE), JSON.stringify({ ...origin, runtime: "0.0.0" }));
    expect(findCompiled(place)).toBeUndefined();
  });

  test("is not used when a part of it is lost", async () => {
    for (const part of ["main.js", "main.js.jsc"]) {
      await compile(place, entry);
      const program = findCompiled(place) ?? "";
      await writeFile(join(program, "..", part), "");
      expect(findCompiled(place)).toBeUndefined();
    }
  });

  test("is not used without a readable origin file", async () => {
    for (const text of ["", "{", "null", "[]", `{ "files": 1 }`, `{ "root": ${JSON.stringify(root)} }`]) {
      await writeFile(join(place.folder, MANIFEST_FILE), text);
      expect(findCompiled(place)).toBeUndefined();
    }
    await rm(place.folder, { recursive: true });
    expect(findCompiled(place)).toBeUndefined();
  });

  test("is removed when a newer one exists", async () => {
    await compile(place, entry);
    expect((await readdir(place.folder)).length).toBe(2);
  });

  test("is kept but not used when the sources cannot be compiled", async () => {
    const before = await readdir(place.folder);
    await writeFile(word, `export const other = 1;\n`);
    await expect(compile(place, entry)).rejects.toThrow();
    expect(await readdir(place.folder)).toEqual(before);
    expect(findCompiled(place)).toBeUndefined();
  });
});

test("the command is compiled ahead of this checkout's sources, and is the same command", async () => {
  const place: CompileFolders = { root: ownFolders.root, folder: join(folder, "ours") };
  await compile(place, join(ownFolders.root, "packages/cli/src/command-line.ts"));
  const { files } = JSON.parse(await readFile(join(place.folder, MANIFEST_FILE), "utf8")) as Manifest;
  const paths = files.map(([path]) => path);
  for (const path of ["packages/cli/src/run.ts", "packages/warden/src/warden.ts", "packages/protocol/package.json"]) {
    expect(paths).toContain(path);
  }
  // A package with native code cannot be included.
  expect(paths.filter((path) => /onnxruntime|\.node$/.test(path))).toEqual([]);
  // Parts that are left out must never be loaded.
  expect(paths.filter((path) => /zod\/v4\/locales\/(?!en\.js|index\.js)/.test(path))).toEqual([]);
  const ours = paths.filter((path) => /^packages\/.*\.tsx?$/.test(path));
  const texts = await Promise.all(ours.map((path) => readFile(join(place.root, path), "utf8")));
  expect(ours.filter((_, index) => /\blocales\b/.test(texts[index] ?? ""))).toEqual([
    "packages/cli/src/compiled/compile.ts",
  ]);
  expect(await say(findCompiled(place), "--version", "await it.runCommandLine();")).toMatch(/^hearth \d/);
});
