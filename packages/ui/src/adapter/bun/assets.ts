/**
 * The built UI, for whoever serves it. Nothing is read until somebody looks: then it is built where it must be, in a process
 * of its own, and kept in memory whole, so that a later build takes nothing away from this house.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HearthError } from "@hearth/protocol";
import { DOCUMENT, type Manifest, readManifest } from "./manifest.ts";
import { DIST, hashSources, ROOT, type UiSources, uiSources } from "./sources.ts";

export interface UiFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined;
  readonly type: string;
  readonly etag: string;
  readonly isImmutable: boolean;
}

export interface UiFiles {
  find(path: string): Promise<UiFile | undefined>;
}

export interface UiFilesOptions {
  readonly place: string;
  readonly sources: UiSources;
  /** Builds into the place. `no-place`: it cannot be written to. Throws `ui.unbuilt`. */
  readonly build: (place: string) => Promise<"built" | "no-place">;
}

type Files = ReadonlyMap<string, UiFile>;

/** This checkout's, unless the options say otherwise. */
export const createUiFiles = (options: Partial<UiFilesOptions> = {}): UiFiles => {
  const { place = DIST, sources = uiSources, build = buildApart } = options;
  let files: Promise<Files> | undefined;

  const load = async (): Promise<Files> => {
    const before = readManifest(place);
    const ready = before?.builtFrom === hashSources(sources) ? readFiles(place, before) : undefined;
    if (ready !== undefined) return ready;
    const outcome = await build(place);
    const after = readManifest(place);
    // In a checkout that nobody may write to, an older UI is better than none.
    const built = after === undefined ? undefined : readFiles(place, after);
    if (built !== undefined) return built;
    throw new HearthError("ui.unbuilt", "The UI is not built yet.", {
      hint:
        outcome === "no-place"
          ? `Make ${place} a folder that Hearth may write to, then load this page again.`
          : "Load this page again.",
    });
  };

  return {
    async find(path) {
      files ??= load();
      try {
        return (await files).get(isPage(path) ? DOCUMENT : path);
      } catch (error) {
        // The next look tries again.
        files = undefined;
        throw error;
      }
    },
  };
};

/** What has no extension is for the app to tell apart. */
const isPage = (path: string): boolean => !path.slice(path.lastIndexOf("/") + 1).includes(".");

/** Nothing when a file is missing: somebody cleaned up. */
const readFiles = (place: string, { folder, files }: Manifest): Files | undefined => {
  const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(place, folder, name)));
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
        },
      ]),
    );
  } catch {
    return undefined;
  }
};

const BUILD = fileURLToPath(new URL("./build.ts", import.meta.url));
/** As build.ts ends when there is nowhere to write; that file is not for this process to load. */
const NO_PLACE = 2;
/** Of what a failed build says. */
const MAX_COMPLAINT = 1_000;

/** A build takes memory and time that the house has better uses for. */
const buildApart: UiFilesOptions["build"] = async (place) => {
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", BUILD, place], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const complaint = (await child.stderr.text()).trim().slice(0, MAX_COMPLAINT);
  const code = await child.exited;
  if (code === 0) return "built";
  if (code === NO_PLACE) return "no-place";
  throw new HearthError("ui.unbuilt", complaint === "" ? `The build of the UI ended with ${code}.` : complaint, {
    hint: "Set Hearth up again (npm ci in its folder), then load this page again.",
  });
};
