/** The sources of the UI and their hash. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface UiSources {
  /** The HTML page of each language, which loads everything else: `index.html`, `index.de.html`. */
  readonly documents: readonly string[];
  /** The service worker. */
  readonly worker: string;
  /** The files besides the page that keep their names, because the app manifest or browsers name them. */
  readonly fixedNameFiles: readonly string[];
  /** Whether the build has the files of formulas and diagrams. */
  readonly hasLibraries: boolean;
  /** Files and folders that a build depends on. */
  readonly paths: readonly string[];
}

export const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
export const DIST = join(ROOT, "packages/ui/dist");

/** The sources of this checkout. */
export const uiSources: UiSources = {
  documents: ["packages/ui/src/index.html", "packages/ui/src/index.de.html"].map((path) => join(ROOT, path)),
  worker: join(ROOT, "packages/ui/src/adapter/worker/worker.ts"),
  fixedNameFiles: ["icon.svg", "app-icon-512.png"].map((name) => join(ROOT, "packages/ui/src", name)),
  hasLibraries: true,
  paths: [
    ...["ui", "client", "protocol"].flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/src`]),
    "package-lock.json",
  ].map((path) => join(ROOT, path)),
};

const TEST = /\.(test|conformance)\.tsx?$/;

/** Hashes names and contents, independent of folder and file times. Takes a few milliseconds. */
export const hashSources = ({ paths }: UiSources): string => {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const name of listNames(path)) {
      const content = readFileSync(join(path, name));
      hash.update(`${name}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
};

/**
 * Lists the files below a folder, sorted. For a file, returns the empty name. A missing path has no
 * files, because an installed release has no lock file.
 */
const listNames = (path: string): readonly string[] => {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !TEST.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length))
      .sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return [""];
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
};
