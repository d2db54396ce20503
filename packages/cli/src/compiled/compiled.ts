/**
 * The command as one file, compiled ahead: a start then reads that file instead of some hundred. It is used only when every file it was made of
 * is, to the file system, the very one that was read: same size, same times, same inode. Anything else, and the sources run.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the sources are and where what was made of them is kept. Absolute paths. */
export interface Place {
  readonly root: string;
  /** Holds a folder for each program, and the one file that says which of them is it. */
  readonly folder: string;
}

/** What a program was made of. */
export interface Origin {
  /** Of the program, below the place's folder. */
  readonly program: string;
  readonly root: string;
  readonly runtime: string;
  /** Every file that was read, below the root, and what the file system said of it before. */
  readonly files: readonly (readonly [path: string, mark: string])[];
}

/** Bytecode is good for one build of the runtime. */
export const RUNTIME = `${Bun.version} ${Bun.revision}`;
export const ORIGIN = "origin.json";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** This checkout's. It goes with `npm ci`, and may be removed at any time. */
export const ourPlace: Place = { root: ROOT, folder: join(ROOT, "node_modules/.hearth-compiled") };

/** What becomes another when a file does: its change time is set by the system alone. Absent: there is no such file. */
export const markOf = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs} ${found.ctimeMs} ${found.ino}`;
};

/** Absolute path of the program, when it is what the sources are. Never throws. */
export const findCompiled = ({ root, folder }: Place): string | undefined => {
  try {
    // Written by us and swapped whole; whatever else stands there fails below, or fits no file.
    const origin = JSON.parse(readFileSync(join(folder, ORIGIN), "utf8")) as Origin;
    if (origin.root !== root || origin.runtime !== RUNTIME || origin.files.length === 0) return undefined;
    for (const [path, mark] of origin.files) if (markOf(`${root}/${path}`) !== mark) return undefined;
    return join(folder, origin.program);
  } catch {
    return undefined;
  }
};
