/** What a build left behind: a folder of files, and a manifest beside it that names them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Manifest {
  /** The hash of the sources. */
  readonly builtFrom: string;
  /** The files' folder, beside the manifest. */
  readonly folder: string;
  readonly files: readonly ManifestFile[];
}

export interface ManifestFile {
  /** Its name below `/ui/`. */
  readonly path: string;
  /** A `content-type`. */
  readonly type: string;
  /** SHA-256 of the bytes. */
  readonly etag: string;
  /** Its name holds the hash of its content. */
  readonly immutable: boolean;
  readonly size: number;
  /** Only where `path` with `.gz` is there too: it is not for what gzip makes no smaller. */
  readonly gzipSize?: number;
}

export const MANIFEST = "manifest.json";
export const DOCUMENT = "index.html";
export const ICON = "icon.svg";

/** The manifest of the last build into a place, if there was one. */
export const readManifest = (place: string): Manifest | undefined => {
  try {
    return JSON.parse(readFileSync(join(place, MANIFEST), "utf8")) as Manifest;
  } catch {
    return undefined;
  }
};
