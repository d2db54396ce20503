/**
 * The files of the built UI. The first request builds them if necessary, in a separate process, and
 * loads them into memory, so that a later build does not affect a running house.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HearthError } from "@hearth/protocol";
import { DIAGRAM_PAGE, documentOf, ENGLISH, languageOf, type Manifest, readManifest } from "./manifest.ts";
import { DIST, hashSources, ROOT, type UiSources, uiSources } from "./sources.ts";

export interface UiFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined;
  readonly type: string;
  readonly etag: string;
  readonly isImmutable: boolean;
  /** The language of a document. */
  readonly language: string | undefined;
  /** Whether the UI shows it in a frame without an origin. */
  readonly isFrame: boolean;
}

export interface UiFiles {
  /** `languages`: codes such as `de-AT`, the preferred one first. */
  find(path: string, languages?: readonly string[]): Promise<UiFile | undefined>;
}

export interface UiFilesOptions {
  /** Path of the folder of builds. */
  readonly distFolder: string;
  readonly sources: UiSources;
  /**
   * Builds the UI into `distFolder`. `no-place`: the folder is not writable. Throws
   * `ui.unbuilt` if the sources do not build.
   */
  readonly build: (distFolder: string) => Promise<"built" | "no-place">;
}

type Files = ReadonlyMap<string, UiFile>;

/** Serves the UI of this checkout. The options replace its folder and its builder. */
export const createUiFiles = (options: Partial<UiFilesOptions> = {}): UiFiles => {
  const { distFolder = DIST, sources = uiSources, build = spawnBuild } = options;
  let files: Promise<Files> | undefined;

  const load = async (): Promise<Files> => {
    const oldManifest = readManifest(distFolder);
    const currentFiles =
      oldManifest?.builtFrom === hashSources(sources) ? readFiles(distFolder, oldManifest) : undefined;
    if (currentFiles !== undefined) return currentFiles;
    const outcome = await build(distFolder);
    const newManifest = readManifest(distFolder);
    // A read-only checkout cannot be rebuilt, so an older UI is served.
    const builtFiles = newManifest === undefined ? undefined : readFiles(distFolder, newManifest);
    if (builtFiles !== undefined) return builtFiles;
    throw new HearthError("ui.unbuilt", "The UI is not built yet.", {
      hint:
        outcome === "no-place"
          ? `Make ${distFolder} a folder that Hearth can write to, then load this page again.`
          : "Load this page again.",
    });
  };

  return {
    async find(path, languages = []) {
      files ??= load();
      try {
        const loadedFiles = await files;
        return isPage(path) ? loadedFiles.get(chooseDocument(loadedFiles, languages)) : loadedFiles.get(path);
      } catch (error) {
        // The next request tries again.
        files = undefined;
        throw error;
      }
    },
  };
};

/** Whether the path is a page of the app: its last part has no extension. */
const isPage = (path: string): boolean => !path.slice(path.lastIndexOf("/") + 1).includes(".");

/** Returns the name of the document in the first language that the UI has. English is the default. */
const chooseDocument = (files: Files, languages: readonly string[]): string =>
  languages
    .map((code) => documentOf(code.toLowerCase().split("-")[0] ?? ENGLISH))
    .find((name) => languageOf(name) !== undefined && files.has(name)) ?? documentOf(ENGLISH);

/** Loads all files of a manifest. Returns undefined if one is missing. */
const readFiles = (distFolder: string, { folder, files }: Manifest): Files | undefined => {
  const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(distFolder, folder, name)));
  try {
    return new Map(
      files.map(({ path, type, etag, immutable, gzipSize }) => [
        path,
        {
          body: read(path),
          gzipped: gzipSize === undefined ? undefined : read(`${path}.gz`),
          type,
          etag,
          isImmutable: immutable,
          language: languageOf(path),
          isFrame: path === DIAGRAM_PAGE,
        },
      ]),
    );
  } catch {
    return undefined;
  }
};

const BUILD = fileURLToPath(new URL("./build.ts", import.meta.url));
/** Copy of `NOT_WRITABLE` in build.ts. The daemon does not import that file, because it would load the builder. */
const NOT_WRITABLE = 2;
/** Maximum length of a build error. */
const MAX_BUILD_ERROR = 1_000;

/** Builds in a separate process, because a build takes memory and time. */
const spawnBuild = async (distFolder: string): Promise<"built" | "no-place"> => {
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", BUILD, distFolder], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const buildError = (await child.stderr.text()).trim().slice(0, MAX_BUILD_ERROR);
  const code = await child.exited;
  if (code === 0) return "built";
  if (code === NOT_WRITABLE) return "no-place";
  throw new HearthError("ui.unbuilt", buildError === "" ? `The build of the UI ended with ${code}.` : buildError, {
    hint: "Set Hearth up again (npm ci in its folder), then load this page again.",
  });
};
