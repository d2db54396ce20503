/**
 * Builds the UI: one document, with scripts and styles whose names hold the hash of their content. As a program it builds
 * this checkout's, into the place that its argument names.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { HearthError } from "@hearth/protocol";
import { lean } from "./lean.ts";
import { DOCUMENT, ICON, type Manifest, MANIFEST, type ManifestFile } from "./manifest.ts";
import { DIST, hashSources, ROOT, type UiSources, uiSources } from "./sources.ts";

/** How the program ends when the sources do not build, and when there is nowhere to put what was built. */
export const BROKEN = 1;
export const NO_PLACE = 2;

/** Where the daemon serves it. */
const PUBLIC_PATH = "/ui/";
/** What no manifest names any more, or not yet, is left to whoever reads or writes it just then. */
const LEFTOVER_MS = 60 * 60 * 1000;

/** Takes a tenth of a second more than the usual way, once, and a thirtieth less at each first load. */
const SMALLEST = { library: "libdeflate", level: 12 } as const;

interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Builds into a fresh folder of `place`, then lets the manifest name it: builds at the same time do not meet, and a reader
 * sees one of them whole. Throws `ui.unbuilt`, or the system's own error where nothing can be written.
 */
export const buildUi = async (place: string = DIST, sources: UiSources = uiSources): Promise<Manifest> => {
  // Before the build reads them: what changes meanwhile makes the next look build again.
  const builtFrom = hashSources(sources);
  const built = await bundle(sources);
  const folder = randomUUID();
  const writing = join(place, folder);
  await mkdir(writing, { recursive: true });
  const files: ManifestFile[] = [];
  for (const { path, type, body } of built) {
    await writeFile(join(writing, path), body);
    const gzipped = Bun.gzipSync(body, SMALLEST);
    const isSmaller = gzipped.length < body.length;
    if (isSmaller) await writeFile(join(writing, `${path}.gz`), gzipped);
    files.push({
      path,
      type,
      etag: createHash("sha256").update(body).digest("hex"),
      immutable: path !== DOCUMENT && path !== ICON,
      size: body.length,
      ...(isSmaller ? { gzipSize: gzipped.length } : {}),
    });
  }
  const manifest: Manifest = { builtFrom, folder, files };
  const draft = join(place, `${folder}.json`);
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(draft, join(place, MANIFEST));
  await removeLeftovers(place);
  return manifest;
};

const bundle = async ({ entry, icon }: UiSources): Promise<readonly BuiltFile[]> => {
  const result = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    publicPath: PUBLIC_PATH,
    splitting: true,
    minify: true,
    sourcemap: "none",
    // Nothing of this machine's environment gets into what browsers load.
    env: "disable",
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    jsx: { runtime: "automatic", development: false },
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    plugins: [...lean],
    throw: false,
  });
  if (!result.success) throw unbuildable(result.logs);
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
    // Bun also writes out the styles of each part that loads late, though the page's own hold them already.
    ...outputs.filter(({ path }) => path === DOCUMENT || isLoaded(path)),
    { path: ICON, type: "image/svg+xml", body: await Bun.file(icon).bytes() },
  ];
};

const removeLeftovers = async (place: string): Promise<void> => {
  for (const name of await readdir(place)) {
    const path = join(place, name);
    const since = await stat(path).catch(() => undefined);
    if (since !== undefined && Date.now() - since.mtimeMs > LEFTOVER_MS)
      await rm(path, { recursive: true, force: true });
  }
};

const unbuildable = (logs: readonly (BuildMessage | ResolveMessage)[]): HearthError => {
  const why = logs.map(({ message, position }) =>
    position === null ? message : `${relative(ROOT, position.file)}:${Math.max(1, position.line)}: ${message}`,
  );
  return new HearthError("ui.unbuilt", `The UI does not build: ${why.join("\n")}`, {
    hint: "Mend packages/ui, or take Hearth's own again.",
  });
};

if (import.meta.main) {
  try {
    const { files } = await buildUi(process.argv[2]);
    const size = files.reduce((sum, file) => sum + (file.gzipSize ?? file.size), 0);
    process.stdout.write(`${files.length} files, ${Math.round(size / 1000)} kB compressed\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof Error && "syscall" in error ? NO_PLACE : BROKEN;
  }
}
