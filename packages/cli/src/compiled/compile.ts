/** Makes the command's one file of the sources. For a process of its own: the bundler's memory is not given back. */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import type { BunPlugin, Loader } from "bun";
import { markOf, ORIGIN, type Origin, type Place, RUNTIME } from "./compiled.ts";
import { thinToLines } from "./line-map.ts";

/**
 * Packages of others that are in the file, each with those it imports itself: what a start reads, and what shares objects with that. Any other is
 * read from where it is installed, when it is needed; some bring machine code that can stand nowhere else.
 */
const INSIDE = ["@asteasolutions/zod-to-openapi", "@hono/zod-openapi", "hono", "smol-toml", "zod"] as const;
/** Where zod gathers its words in some fifty languages. A start would read them all and keep them; we ask for none but the one that it takes by itself. */
const LANGUAGES = "/zod/v4/locales/index.js";
/** What makes the file. Made otherwise, it is another one. */
const HOW = [import.meta.path, join(import.meta.dir, "line-map.ts")];
const OURS = "@hearth/";
const INSTALLED = "/node_modules/";

const LOADERS: Readonly<Record<string, Loader>> = {
  ts: "ts",
  tsx: "tsx",
  js: "js",
  mjs: "js",
  cjs: "js",
  json: "json",
};

/** Replaces what was made before. Rejects with the bundler's or the system's own error; then what was made before still stands. */
export const compile = async ({ root, folder }: Place, entry: string): Promise<void> => {
  const marks = new Map<string, string>();
  // Before a file is read: a change after this look is a difference that the next start sees.
  const look = (path: string): void => {
    const mark = markOf(path);
    if (mark === undefined) throw new Error(`${path} went away.`);
    if (!marks.has(path)) marks.set(path, mark);
  };
  for (const path of [...settingsOf(root), ...HOW]) look(path);
  const name = randomUUID();
  const draft = join(folder, name);
  try {
    await Bun.build({
      entrypoints: [entry],
      outdir: draft,
      naming: "main.js",
      target: "bun",
      // What is compiled ahead is read in half the time, and there is no other form for it. In this one `import.meta.url` and `dir` are those of the
      // source, beside which lies what it starts and reads, and `main` is false; `import.meta.resolve` cannot be compiled.
      ...{ format: "cjs", bytecode: true },
      minify: { syntax: true, whitespace: true },
      // An error names the line of the source. Read when there is one, and kept: hence no more than lines.
      sourcemap: "linked",
      plugins: [fromSources(look)],
    });
    const map = join(draft, "main.js.map");
    await writeFile(map, thinToLines(await readFile(map, "utf8")));
    const written = await readdir(draft);
    if (!written.includes("main.js.jsc")) throw new Error("Nothing was compiled ahead.");
    // A disk that lost power may have lost what these hold.
    for (const file of written) look(join(draft, file));
    const origin: Origin = {
      program: join(name, "main.js"),
      root,
      runtime: RUNTIME,
      files: [...marks].map(([path, mark]) => [relative(root, path), mark]),
    };
    await writeFile(join(draft, ORIGIN), JSON.stringify(origin));
    await rename(join(draft, ORIGIN), join(folder, ORIGIN));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  for (const other of await readdir(folder)) {
    if (other !== name && other !== ORIGIN) await rm(join(folder, other), { recursive: true, force: true });
  }
};

/** What says where an import leads and how it is read. */
const settingsOf = (root: string): readonly string[] => {
  const packages = join(root, "packages");
  const own = existsSync(packages) ? readdirSync(packages).map((name) => join("packages", name, "package.json")) : [];
  return ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.base.json", ...own]
    .map((path) => join(root, path))
    .filter((path) => existsSync(path));
};

/** Has each file looked at before it is read, and leaves the rest of others where it is installed. */
const fromSources = (look: (path: string) => void): BunPlugin => ({
  name: "from sources",
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      if (importer === "" || importer.includes(INSTALLED) || isBuiltin(path) || path.startsWith(OURS)) return undefined;
      if (INSIDE.some((name) => path === name || path.startsWith(`${name}/`))) return undefined;
      return { path: Bun.resolveSync(path, dirname(importer)), external: true };
    });
    builder.onLoad({ filter: /./ }, async ({ path }) => {
      const loader = LOADERS[path.slice(path.lastIndexOf(".") + 1)];
      if (loader === undefined) throw new Error(`${path} is nothing to compile.`);
      look(path);
      if (path.endsWith(LANGUAGES)) return { contents: `export { default as en } from "./en.js";`, loader };
      return { contents: await Bun.file(path).text(), loader };
    });
  },
});
