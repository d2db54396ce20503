/**
 * Builds the UI: one document, with scripts and styles that have content hashes in their names. As
 * a program it builds this checkout into the folder given as argument.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { HearthError } from "@hearth/protocol";
import { buildPlugins } from "./build-plugins.ts";
import type { BuiltUi } from "../worker/answers.ts";
import { DOCUMENT, type Manifest, MANIFEST, type ManifestFile, WORKER } from "./manifest.ts";
import { DIST, hashSources, ROOT, type UiSources, uiSources } from "./sources.ts";

/** Exit codes: the sources do not build; the place is not writable. */
export const BUILD_FAILED = 1;
export const NOT_WRITABLE = 2;

/** URL path of the UI. */
const PUBLIC_PATH = "/ui/";
/** How long the builder keeps files that no manifest names: a concurrent build or reader may use them. */
const LEFTOVER_MS = 60 * 60 * 1000;

/** Length of the version in the worker. */
const VERSION_LENGTH = 16;

/** Compression settings. They take 0.1 s longer than the default, and save 3 % of each first load. */
const GZIP_OPTIONS = { library: "libdeflate", level: 12 } as const;

interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Builds into a new folder of `place`, then updates the manifest: concurrent builds do not
 * interfere, and a reader sees a complete build. Throws `ui.unbuilt`, or the system's error if the
 * place is not writable.
 */
export const buildUi = async (distFolder: string = DIST, sources: UiSources = uiSources): Promise<Manifest> => {
  // Hash before the build: a change during the build causes a rebuild at the next request.
  const builtFrom = hashSources(sources);
  const bundled = await bundle(sources);
  const keptNames = new Set([WORKER, ...sources.kept.map((source) => basename(source))]);
  const isImmutable = (path: string): boolean => path !== DOCUMENT && !keptNames.has(path);
  const built = [...bundled, await bundleWorker(sources, bundled, isImmutable)];
  const folder = randomUUID();
  const writing = join(distFolder, folder);
  await mkdir(writing, { recursive: true });
  const files: ManifestFile[] = [];
  for (const { path, type, body } of built) {
    await writeFile(join(writing, path), body);
    const gzipped = Bun.gzipSync(body, GZIP_OPTIONS);
    const isSmaller = gzipped.length < body.length;
    if (isSmaller) await writeFile(join(writing, `${path}.gz`), gzipped);
    files.push({
      path,
      type,
      etag: createHash("sha256").update(body).digest("hex"),
      immutable: isImmutable(path),
      size: body.length,
      ...(isSmaller ? { gzipSize: gzipped.length } : {}),
    });
  }
  const manifest: Manifest = { builtFrom, folder, files };
  const draft = join(distFolder, `${folder}.json`);
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(draft, join(distFolder, MANIFEST));
  await removeLeftovers(distFolder);
  return manifest;
};

const bundle = async ({ entry, kept }: UiSources): Promise<readonly BuiltFile[]> => {
  const result = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    publicPath: PUBLIC_PATH,
    splitting: true,
    minify: true,
    sourcemap: "none",
    // The environment of this machine must not reach the bundle.
    env: "disable",
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    jsx: { runtime: "automatic", development: false },
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    plugins: [...buildPlugins],
    throw: false,
  });
  if (!result.success) throw buildFailedError(result.logs);
  const outputs = await Promise.all(
    result.outputs.map(async (output) => ({
      path: output.path.replace(/^\.\//, ""),
      type: output.type,
      body: new Uint8Array(await output.arrayBuffer()),
      text: await output.text(),
    })),
  );
  const isLoaded = (path: string): boolean => outputs.some(({ text }) => text.includes(path));
  return [
    // Bun also writes the styles of lazy parts separately, but the page already contains them.
    ...outputs.filter(({ path }) => path === DOCUMENT || isLoaded(path)),
    ...(await Promise.all(kept.map(readKept))),
  ];
};

/** Bundles the service worker. Its text contains the version of all files, so browsers notice each update. */
const bundleWorker = async (
  { worker }: UiSources,
  built: readonly BuiltFile[],
  isImmutable: (path: string) => boolean,
): Promise<BuiltFile> => {
  const files = built.map(({ path }) => path).filter(isImmutable);
  const hash = createHash("sha256").update(JSON.stringify(files));
  for (const { path, body } of built) if (!isImmutable(path)) hash.update(body);
  const ui: BuiltUi = { version: hash.digest("hex").slice(0, VERSION_LENGTH), files };
  const result = await Bun.build({
    entrypoints: [worker],
    target: "browser",
    // Some browsers do not support modules in service workers, so the worker is a classic script.
    format: "iife",
    minify: true,
    sourcemap: "none",
    env: "disable",
    define: { BUILT_UI: JSON.stringify(ui) },
    throw: false,
  });
  const [output] = result.outputs;
  if (!result.success || output === undefined) throw buildFailedError(result.logs);
  return { path: WORKER, type: output.type, body: new Uint8Array(await output.arrayBuffer()) };
};

const readKept = async (source: string): Promise<BuiltFile> => {
  const file = Bun.file(source);
  return { path: basename(source), type: file.type, body: await file.bytes() };
};

const removeLeftovers = async (place: string): Promise<void> => {
  for (const name of await readdir(place)) {
    const path = join(place, name);
    const since = await stat(path).catch(() => undefined);
    if (since !== undefined && Date.now() - since.mtimeMs > LEFTOVER_MS)
      await rm(path, { recursive: true, force: true });
  }
};

const buildFailedError = (logs: readonly (BuildMessage | ResolveMessage)[]): HearthError => {
  const why = logs.map(({ message, position }) =>
    position === null ? message : `${relative(ROOT, position.file)}:${Math.max(1, position.line)}: ${message}`,
  );
  return new HearthError("ui.unbuilt", `The UI does not build: ${why.join("\n")}`, {
    hint: "Fix packages/ui, or install Hearth again.",
  });
};

if (import.meta.main) {
  try {
    const { files } = await buildUi(process.argv[2]);
    const size = files.reduce((sum, file) => sum + (file.gzipSize ?? file.size), 0);
    process.stdout.write(`${files.length} files, ${Math.round(size / 1000)} kB compressed\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof Error && "syscall" in error ? NOT_WRITABLE : BUILD_FAILED;
  }
}
