/**
 * Bundles and precompiles the command. Run it in a separate process, since the bundler does not
 * free its memory.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import type { BunPlugin, Loader } from "bun";
import { fingerprintOf, MANIFEST_FILE, type Manifest, type CompileFolders, RUNTIME } from "./compiled.ts";
import { thinToLines } from "./line-map.ts";

/**
 * Third-party packages to bundle, with their imports: packages that a start reads, and packages
 * that share objects with them. Other packages, some of them with native code, are loaded from
 * node_modules on demand.
 */
const BUNDLED_PACKAGES = ["@asteasolutions/zod-to-openapi", "@hono/zod-openapi", "hono", "smol-toml", "zod"] as const;
/**
 * The index of zod's locales, about fifty. The bundle contains only English, the default, which
 * saves time and memory.
 */
const LOCALES_INDEX = "/zod/v4/locales/index.js";
/** The sources of this compiler. The compiled program is outdated when one of them changes. */
const COMPILER_SOURCES = [import.meta.path, join(import.meta.dir, "line-map.ts")];
const OWN_SCOPE = "@hearth/";
const PACKAGES_FOLDER = "/node_modules/";

const LOADERS: Readonly<Record<string, Loader>> = {
  ts: "ts",
  tsx: "tsx",
  js: "js",
  mjs: "js",
  cjs: "js",
  json: "json",
};

/**
 * Replaces the compiled program. If it fails, rejects with the error of the bundler or the system,
 * and the former program stays.
 */
export const compile = async ({ root, folder }: CompileFolders, entry: string): Promise<void> => {
  const fingerprints = new Map<string, string>();
  // Records the fingerprint of each file before it is read, so that the next start detects a later change.
  const recordFingerprint = (path: string): void => {
    const fingerprint = fingerprintOf(path);
    if (fingerprint === undefined) throw new Error(`${path} was removed during the build.`);
    if (!fingerprints.has(path)) fingerprints.set(path, fingerprint);
  };
  for (const path of [...settingsOf(root), ...COMPILER_SOURCES]) recordFingerprint(path);
  const name = randomUUID();
  const draftFolder = join(folder, name);
  try {
    await Bun.build({
      entrypoints: [entry],
      outdir: draftFolder,
      naming: "main.js",
      target: "bun",
      // Bytecode loads in half the time, and needs the CommonJS format. In it, `import.meta.url`
      // and `dir` are those of the source file, so files beside it are found. `main` is false, and
      // `import.meta.resolve` is not supported.
      format: "cjs",
      bytecode: true,
      minify: { syntax: true, whitespace: true },
      // The source map lets errors name source lines. Bun keeps a loaded map in memory, so the code
      // below reduces it to lines.
      sourcemap: "linked",
      plugins: [fromSources(root, recordFingerprint)],
    });
    const mapPath = join(draftFolder, "main.js.map");
    await writeFile(mapPath, thinToLines(await readFile(mapPath, "utf8")));
    const outputFiles = await readdir(draftFolder);
    if (!outputFiles.includes("main.js.jsc")) throw new Error("The bundler wrote no bytecode.");
    // The fingerprints of the output files detect a file that a power loss truncated.
    for (const file of outputFiles) recordFingerprint(join(draftFolder, file));
    const origin: Manifest = {
      program: join(name, "main.js"),
      root,
      runtime: RUNTIME,
      files: [...fingerprints].map(([path, fingerprint]) => [relative(root, path), fingerprint]),
    };
    await writeFile(join(draftFolder, MANIFEST_FILE), JSON.stringify(origin));
    await rename(join(draftFolder, MANIFEST_FILE), join(folder, MANIFEST_FILE));
  } catch (error) {
    await rm(draftFolder, { recursive: true, force: true });
    throw error;
  }
  for (const entryName of await readdir(folder)) {
    if (entryName !== name && entryName !== MANIFEST_FILE)
      await rm(join(folder, entryName), { recursive: true, force: true });
  }
};

/** Returns the files that determine how imports are resolved and compiled. */
const settingsOf = (root: string): readonly string[] => {
  const packages = join(root, "packages");
  const manifests = existsSync(packages)
    ? readdirSync(packages).map((name) => join("packages", name, "package.json"))
    : [];
  return ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.base.json", ...manifests]
    .map((path) => join(root, path))
    .filter((path) => existsSync(path));
};

/** Creates a bundler plugin that records each file before it is read, and leaves other third-party packages out. */
const fromSources = (root: string, recordFingerprint: (path: string) => void): BunPlugin => ({
  name: "from sources",
  setup(builder) {
    // An installed Hearth is in a `node_modules` folder beside its dependencies, so that folder
    // alone does not make a file third-party.
    const isOwnSource = (path: string): boolean => {
      const relativePath = relative(root, path);
      return !relativePath.startsWith("..") && !`/${relativePath}`.includes(PACKAGES_FOLDER);
    };
    builder.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      if (importer === "" || !isOwnSource(importer) || isBuiltin(path) || path.startsWith(OWN_SCOPE)) return undefined;
      if (BUNDLED_PACKAGES.some((name) => path === name || path.startsWith(`${name}/`))) return undefined;
      return { path: Bun.resolveSync(path, dirname(importer)), external: true };
    });
    builder.onLoad({ filter: /./ }, async ({ path }) => {
      const loader = LOADERS[path.slice(path.lastIndexOf(".") + 1)];
      if (loader === undefined) throw new Error(`Cannot compile ${path}: unknown file type.`);
      recordFingerprint(path);
      if (path.endsWith(LOCALES_INDEX)) return { contents: `export { default as en } from "./en.js";`, loader };
      return { contents: await Bun.file(path).text(), loader };
    });
  },
});
