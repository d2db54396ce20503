/** A build on disk: a folder of files, and a manifest that names them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Manifest {
  /** Hash of the sources. */
  readonly builtFrom: string;
  /** Folder of the files, beside the manifest. */
  readonly folder: string;
  readonly files: readonly ManifestFile[];
}

export interface ManifestFile {
  /** Path below `/ui/`. */
  readonly path: string;
  /** Value of `content-type`. */
  readonly type: string;
  /** SHA-256 of the content. */
  readonly etag: string;
  /** Whether the name contains the hash of the content, so that browsers may keep the file. */
  readonly immutable: boolean;
  readonly size: number;
  /** Present if `path` with `.gz` exists; absent if gzip does not reduce the size. */
  readonly gzipSize?: number;
}

export const MANIFEST = "manifest.json";

/** The page of the frame that draws a diagram. */
export const DIAGRAM_PAGE = "diagram.html";

/** The language of texts that have no translation. */
export const ENGLISH = "en";

/** Returns the name of the document of a language. */
export const documentOf = (language: string): string => addLanguage("index.html", language);

/** Returns the name of the service worker of a language. */
export const workerOf = (language: string): string => addLanguage("worker.js", language);

/** Returns the name of a file in a language, for example `index.de.html`. English names have no language. */
const addLanguage = (name: string, language: string): string =>
  language === ENGLISH ? name : name.replace(".", `.${language}.`);

/** Returns the language of a document with this name. Undefined if no document has this name. */
export const languageOf = (name: string): string | undefined => {
  const match = /^index(?:\.([a-z]{2,3}))?\.html$/.exec(name);
  return match === null ? undefined : (match[1] ?? ENGLISH);
};

/** Returns the manifest of the last build, if any. */
export const readManifest = (distFolder: string): Manifest | undefined => {
  try {
    return JSON.parse(readFileSync(join(distFolder, MANIFEST), "utf8")) as Manifest;
  } catch {
    return undefined;
  }
};
