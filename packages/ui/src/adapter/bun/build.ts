/**
 * Builds the UI: one document per language, with scripts and styles that have content hashes in
 * their names. As a program it builds this checkout into the folder given as argument.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { HearthError } from "@hearth/protocol";
import { buildPlugins } from "./build-plugins.ts";
import { createLanguagePlugin } from "./language-plugin.ts";
import { buildDiagramPage, readMathFiles } from "./library-files.ts";
import type { BuiltUi } from "../worker/answers.ts";
import { ENGLISH, languageOf, type Manifest, MANIFEST, type ManifestFile, workerOf } from "./manifest.ts";
import { DIST, hashSources, ROOT, type UiSources, uiSources } from "./sources.ts";

/** Exit codes: the build failed; the folder is not writable. */
export const BUILD_FAILED = 1;
export const NOT_WRITABLE = 2;

/** URL path of the UI. */
const PUBLIC_PATH = "/ui/";
/** How long the builder keeps files that no manifest names: a concurrent build or reader may use them. */
const MAX_LEFTOVER_AGE_MS = 60 * 60 * 1000;

/** Length of the hash in the names of files, as Bun writes it. */
const NAME_HASH_LENGTH = 8;

/** Length of the version in the worker. */
const VERSION_LENGTH = 16;

/** Compared with the default, these settings take 0.1 s longer and save 3 % of each first load. */
const GZIP_OPTIONS = { library: "libdeflate", level: 12 } as const;

interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether the name contains the hash of the content. */
  readonly isImmutable: boolean;
}

/**
 * Builds into a new folder in `distFolder`, then replaces the manifest. So concurrent builds do not
 * interfere, and a reader sees only complete builds. Throws `ui.unbuilt`, or the error of the file system
 * if the folder is not writable.
 */
export const buildUi = async (distFolder: string = DIST, sources: UiSources = uiSources): Promise<Manifest> => {
  // Hash before the build: a change during the build causes a rebuild at the next request.
  const builtFrom = hashSources(sources);
  const keptFiles = await Promise.all(sources.fixedNameFiles.map(readKept));
  const bundles = await Promise.all(sources.documents.map((document) => bundle(sources, document, keptFiles)));
  const libraryFiles = sources.hasLibraries ? [...(await readMathFiles()), await buildDiagramPage()] : [];
  // Files without texts are the same in all languages.
  const builtFiles = new Map<string, BuiltFile>(
    [...bundles.flat(), ...libraryFiles.map((file) => ({ ...file, isImmutable: false }))].map((file) => [
      file.path,
      file,
    ]),
  );
  const folder = randomUUID();
  const buildFolder = join(distFolder, folder);
  await mkdir(buildFolder, { recursive: true });
  const files: ManifestFile[] = [];
  for (const { path, type, body, isImmutable } of builtFiles.values()) {
    await writeFile(join(buildFolder, path), body);
    const gzipBody = Bun.gzipSync(body, GZIP_OPTIONS);
    const isSmaller = gzipBody.length < body.length;
    if (isSmaller) await writeFile(join(buildFolder, `${path}.gz`), gzipBody);
    files.push({
      path,
      type,
      etag: createHash("sha256").update(body).digest("hex"),
      immutable: isImmutable,
      size: body.length,
      ...(isSmaller ? { gzipSize: gzipBody.length } : {}),
    });
  }
  const manifest: Manifest = { builtFrom, folder, files };
  const draftPath = join(distFolder, `${folder}.json`);
  await writeFile(draftPath, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(draftPath, join(distFolder, MANIFEST));
  await removeLeftovers(distFolder);
  return manifest;
};

/** Bundles one language: its document, the files that it loads, and its service worker. */
const bundle = async (
  { worker }: UiSources,
  document: string,
  keptFiles: readonly BuiltFile[],
): Promise<readonly BuiltFile[]> => {
  const name = basename(document);
  const language = languageOf(name) ?? ENGLISH;
  const result = await Bun.build({
    entrypoints: [document],
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
    plugins: [...buildPlugins, ...(language === ENGLISH ? [] : [createLanguagePlugin(language)])],
    throw: false,
  });
  if (!result.success) throw buildFailedError(result.logs);
  const outputs = await Promise.all(
    result.outputs.map(async (output) => {
      const path = output.path.replace(/^\.\//, "");
      return {
        path,
        type: output.type,
        body: new Uint8Array(await output.arrayBuffer()),
        isImmutable: path !== name,
        text: await output.text(),
      };
    }),
  );
  const isReferenced = (path: string): boolean => outputs.some(({ text }) => text.includes(path));
  // Bun also writes the styles of lazy parts separately, but the page already contains them.
  const loadedOutputs = outputs.filter(({ path }) => path === name || isReferenced(path));
  const files = [...(await splitStyles(document, loadedOutputs)), ...keptFiles];
  return [...files, await bundleWorker(worker, name, language, files)];
};

/**
 * Adds a small stylesheet with the styles of the first page, and links the document to it. The
 * address of the stylesheet with all styles is in a `meta` element. The page loads this stylesheet
 * before it shows the first lazy part.
 */
const splitStyles = async (document: string, builtFiles: readonly BuiltFile[]): Promise<readonly BuiltFile[]> => {
  const allStyles = builtFiles.find(({ path }) => path.endsWith(".css"));
  const page = builtFiles.find(({ path }) => path === basename(document));
  if (allStyles === undefined || page === undefined) return builtFiles;
  const result = await Bun.build({
    entrypoints: [document],
    target: "browser",
    publicPath: PUBLIC_PATH,
    minify: true,
    env: "disable",
    naming: { asset: "[name]-[hash].[ext]" },
    plugins: [firstPagePlugin, ...buildPlugins],
    throw: false,
  });
  const styles = result.outputs.find(({ path }) => path.endsWith(".css"));
  if (!result.success || styles === undefined) throw buildFailedError(result.logs);
  const body = new Uint8Array(await styles.arrayBuffer());
  if (body.length >= allStyles.body.length) return builtFiles;
  const hash = createHash("sha256").update(body).digest("hex").slice(0, NAME_HASH_LENGTH);
  const firstStyles: BuiltFile = { ...allStyles, path: `first-${hash}.css`, body };
  const [link = ""] = new RegExp(`<link rel="stylesheet"[^>]*${allStyles.path}">`).exec(toText(page)) ?? [];
  const html = toText(page).replace(
    link,
    `${link.replace(allStyles.path, firstStyles.path)}<meta name="styles" content="${PUBLIC_PATH}${allStyles.path}">`,
  );
  const linkedPage = { ...page, body: new TextEncoder().encode(html) };
  return [...builtFiles.filter((file) => file !== page), firstStyles, linkedPage];
};

/** Leaves out the parts that a page loads later. */
const firstPagePlugin: Bun.BunPlugin = {
  name: "first page",
  setup: (build) => {
    build.onResolve({ filter: /^\.\.?\// }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

const toText = ({ body }: BuiltFile): string => new TextDecoder().decode(body);

/** Bundles the service worker. Its text contains the version of all files, so browsers notice each update. */
const bundleWorker = async (
  entry: string,
  document: string,
  language: string,
  builtFiles: readonly BuiltFile[],
): Promise<BuiltFile> => {
  const files = builtFiles.filter(({ isImmutable }) => isImmutable).map(({ path }) => path);
  const hash = createHash("sha256").update(JSON.stringify(files));
  for (const { body, isImmutable } of builtFiles) if (!isImmutable) hash.update(body);
  const ui: BuiltUi = { version: hash.digest("hex").slice(0, VERSION_LENGTH), document, files };
  const result = await Bun.build({
    entrypoints: [entry],
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
  const body = new Uint8Array(await output.arrayBuffer());
  return { path: workerOf(language), type: output.type, body, isImmutable: false };
};

const readKept = async (source: string): Promise<BuiltFile> => {
  const file = Bun.file(source);
  return { path: basename(source), type: file.type, body: await file.bytes(), isImmutable: false };
};

const removeLeftovers = async (distFolder: string): Promise<void> => {
  for (const name of await readdir(distFolder)) {
    const path = join(distFolder, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > MAX_LEFTOVER_AGE_MS)
      await rm(path, { recursive: true, force: true });
  }
};

const buildFailedError = (logs: readonly (BuildMessage | ResolveMessage)[]): HearthError => {
  const messages = logs.map(({ message, position }) =>
    position === null ? message : `${relative(ROOT, position.file)}:${Math.max(1, position.line)}: ${message}`,
  );
  return new HearthError("ui.unbuilt", `The UI does not build: ${messages.join("\n")}`, {
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
