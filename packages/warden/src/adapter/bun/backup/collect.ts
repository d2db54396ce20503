/**
 * Walks the files of a home that a backup contains. A cell can write in its workspace at any time,
 * so every folder is opened without following links.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { REPLACED, REPLACEMENT, RESTORED, RESTORING } from "../home.ts";
import { openPlainFolder } from "../plain-folder.ts";
import { codeOf } from "./read-file.ts";

/** Top-level names that are not in a backup, with the reason. */
export const EXCLUDED_NAMES: Readonly<Record<string, string>> = {
  run: "describes the running daemon",
  logs: "not needed to run the house",
  cache: "built again when it is missing",
  copies: "databases from before updates",
  damaged: "databases from before repairs",
  blobs: "only those that the database names",
  [RESTORING]: "marks an unfinished restore",
  [RESTORED]: "marks a restore that no start has seen yet",
  [REPLACEMENT]: "a backup that is being restored",
  [REPLACED]: "the home from before a restore",
};
const DATABASE_FILES = /^hearth\.db/;
/** Matches a file that is being written, which a crash may leave behind. */
const DRAFT = /\.(new|next)$|^\.write-check$/;
const BRAIN_DRAFT = /^brains\/.*\/\.draft-[^/]*$/;
/** Matches folders of a brain that the house can build again. */
const DERIVED = /^brains\/[^/]+\/(db|\.persona)$/;
/**
 * The folder of files that agents own. A file there that cannot be read must not prevent the
 * backup.
 */
const BRAINS = "brains/";

const MODE_BITS = 0o777;
/** Number of files that are read concurrently. */
const CONCURRENT_READS = 8;

export interface HomeVisitor {
  file(path: string, file: FileHandle, stat: Stats): Promise<void>;
  folder(path: string, mode: number): void;
  link(path: string, target: string): void;
  /** A socket, pipe or device, or a file of a brain that cannot be read. */
  skip(path: string, why: string): void;
}

const isExcluded = (path: string): boolean =>
  path.includes("/")
    ? DERIVED.test(path) || BRAIN_DRAFT.test(path)
    : Object.hasOwn(EXCLUDED_NAMES, path) || DATABASE_FILES.test(path) || DRAFT.test(path);

/**
 * Visits the files. `home` is a path without links. A file that is removed meanwhile is not
 * visited.
 */
export const visitHome = async (home: string, visitor: HomeVisitor): Promise<void> => {
  for (const name of (await readdir(home)).toSorted()) {
    if (isExcluded(name)) continue;
    // The owner may have made a link of a folder such as `brains`.
    const path = await realpath(join(home, name));
    if ((await lstat(path)).isDirectory()) await visitFolder({ root: path, name, visitor }, []);
    else await visitEntry({ root: home, name: "", visitor }, [], name);
  }
};

interface Walk {
  /** Without links. */
  readonly root: string;
  /** The name in the home. It is empty for the home itself. */
  readonly name: string;
  readonly visitor: HomeVisitor;
}

const visitFolder = async (walk: Walk, names: readonly string[]): Promise<void> => {
  const path = [walk.name, ...names].join("/");
  let entries: readonly string[];
  try {
    using folder = openPlainFolder(walk.root, names);
    walk.visitor.folder(path, (await lstat(`${folder.at}/.`)).mode & MODE_BITS);
    entries = (await readdir(folder.at)).toSorted();
  } catch (error) {
    return skip(walk, path, error);
  }
  for (let start = 0; start < entries.length; start += CONCURRENT_READS)
    await Promise.all(entries.slice(start, start + CONCURRENT_READS).map((entry) => visitEntry(walk, names, entry)));
};

type Entry =
  | { readonly kind: "file"; readonly file: FileHandle; readonly stat: Stats }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "folder" | "other" };

const openEntry = async (walk: Walk, names: readonly string[], entry: string): Promise<Entry> => {
  using folder = openPlainFolder(walk.root, names);
  const entryPath = `${folder.at}/${entry}`;
  const stat = await lstat(entryPath);
  if (stat.isSymbolicLink()) return { kind: "link", target: await readlink(entryPath) };
  if (stat.isDirectory()) return { kind: "folder" };
  if (!stat.isFile()) return { kind: "other" };
  const file = await open(entryPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const openedStat = await file.stat();
  if (openedStat.isFile()) return { kind: "file", file, stat: openedStat };
  await file.close();
  return { kind: "other" };
};

const visitEntry = async (walk: Walk, names: readonly string[], name: string): Promise<void> => {
  const path = [walk.name, ...names, name].filter(Boolean).join("/");
  if (isExcluded(path)) return;
  const { visitor } = walk;
  let entry: Entry;
  try {
    entry = await openEntry(walk, names, name);
  } catch (error) {
    return skip(walk, path, error);
  }
  switch (entry.kind) {
    case "file": {
      await using file = entry.file;
      return await visitor.file(path, file, entry.stat);
    }
    case "link":
      return visitor.link(path, entry.target);
    case "folder":
      return visitFolder(walk, [...names, name]);
    case "other":
      return visitor.skip(path, "is neither a file nor a folder");
  }
};

/** Codes of a name that was removed or replaced since it was listed. */
const CHANGED_CODES: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

const skip = ({ visitor }: Walk, path: string, error: unknown): void => {
  const code = codeOf(error);
  if (CHANGED_CODES.has(code)) return;
  if (!path.startsWith(BRAINS) || (code !== "EACCES" && code !== "EPERM")) throw error;
  visitor.skip(path, `cannot be read (${code})`);
};
