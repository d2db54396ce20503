/**
 * Finds the precompiled program, which is one file instead of about a hundred. The program is
 * current if the size, times and inode of every source file are unchanged. Otherwise, the sources
 * run.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folders of the sources and of the compiled programs. Absolute paths. */
export interface CompileFolders {
  readonly root: string;
  /** The folder with one folder per program, and a file that names the current program. */
  readonly folder: string;
}

/** The inputs of a compiled program. */
export interface Manifest {
  /** Path of the program, relative to the folder of programs. */
  readonly program: string;
  readonly root: string;
  readonly runtime: string;
  /** Every file that was read, relative to the root, with its mark before reading. */
  readonly files: readonly (readonly [path: string, fingerprint: string])[];
}

/** The build of Bun. Bytecode works only with the build that wrote it. */
export const RUNTIME = `${Bun.version} ${Bun.revision}`;
export const MANIFEST_FILE = "origin.json";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** The folders of this checkout. `npm ci` removes the folder of programs, which is safe at any time. */
export const ownFolders: CompileFolders = { root: ROOT, folder: join(ROOT, "node_modules/.hearth-compiled") };

/**
 * Returns a fingerprint that changes when the file changes: it contains the change time, which only the
 * system sets. Returns undefined for a missing file.
 */
export const fingerprintOf = (path: string): string | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`;
};

/** Returns the absolute path of the program if it is current. Never throws. */
export const findCompiled = ({ root, folder }: CompileFolders): string | undefined => {
  try {
    // `compile` writes this file atomically. Other content fails below, or matches no file.
    const origin = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), "utf8")) as Manifest;
    if (origin.root !== root || origin.runtime !== RUNTIME || origin.files.length === 0) return undefined;
    for (const [path, fingerprint] of origin.files)
      if (fingerprintOf(`${root}/${path}`) !== fingerprint) return undefined;
    return join(folder, origin.program);
  } catch {
    return undefined;
  }
};
