/**
 * Finds what changed below a folder since the last scan. Links are reported as links. Anything but
 * files, folders and links is skipped.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { type Folder, openFolder } from "./folder.ts";
import { type Entry, type Item, nothing } from "./tree-codec.ts";

/** Path → its version. */
export type KnownVersions = Map<string, string>;

export interface ScanOptions {
  /** Names directly below the root to skip. */
  readonly except: ReadonlySet<string>;
  readonly maxEntries: number;
}

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const READ_SIZE = 64 * 1024;
const MAX_DEPTH = 100;

/** Yields the differences to `versions` and updates `versions`. A folder comes before its contents. */
export async function* scanTree(root: string, versions: KnownVersions, options: ScanOptions): AsyncGenerator<Item> {
  const foundPaths = new Set<string>();
  const walk = async function* (folder: Folder, prefix: string, depth: number): AsyncGenerator<Item> {
    for (const name of readdirSync(folder.at).sort()) {
      if (prefix === "" && options.except.has(name)) continue;
      if (foundPaths.size >= options.maxEntries) return;
      const path = `${prefix}${name}`;
      const absolutePath = `${folder.at}/${name}`;
      const stats = lstatSync(absolutePath, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || kindOf(stats) === undefined) continue;
      foundPaths.add(path);
      const version = versionOf(stats);
      if (versions.get(path) !== version) {
        using openedItem = itemAt(path, absolutePath, stats);
        if (openedItem === undefined) {
          foundPaths.delete(path);
          continue;
        }
        yield openedItem.item;
        versions.set(path, version);
      }
      if (stats.isDirectory() && depth < MAX_DEPTH) {
        let inner: Folder;
        try {
          inner = openFolder(absolutePath);
        } catch {
          // The folder was just removed or replaced, or is not readable.
          continue;
        }
        try {
          yield* walk(inner, `${path}/`, depth + 1);
        } finally {
          inner[Symbol.dispose]();
        }
      }
    }
  };
  {
    using rootFolder = openFolder(root);
    yield* walk(rootFolder, "", 0);
  }
  yield* listRemoved(versions, foundPaths);
}

/** Yields the topmost removed paths. */
async function* listRemoved(versions: KnownVersions, foundPaths: ReadonlySet<string>): AsyncGenerator<Item> {
  let topmost: string | undefined;
  for (const path of [...versions.keys()].filter((knownPath) => !foundPaths.has(knownPath)).sort()) {
    versions.delete(path);
    if (topmost !== undefined && path.startsWith(`${topmost}/`)) continue;
    topmost = path;
    yield { entry: { kind: "gone", path }, bytes: nothing() };
  }
}

const kindOf = (stats: BigIntStats): "file" | "folder" | "link" | undefined =>
  stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : undefined;

/**
 * Returns the version of an item. It ignores a folder's times, because they change with its
 * contents, which are reported separately.
 */
const versionOf = (stats: BigIntStats): string =>
  stats.isDirectory()
    ? `folder ${stats.mode}`
    : `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;

interface OpenedItem extends Disposable {
  readonly item: Item;
}

/** Returns undefined when the item cannot be read. */
const itemAt = (path: string, at: string, stats: BigIntStats): OpenedItem | undefined => {
  const mode = Number(stats.mode) & 0o777;
  try {
    if (stats.isDirectory()) return withoutBytes({ kind: "folder", path, mode });
    if (stats.isSymbolicLink()) return withoutBytes({ kind: "link", path, target: readlinkSync(at) });
    const fd = openSync(at, READ_FLAGS);
    const openedStats = fstatSync(fd);
    if (!openedStats.isFile()) {
      closeSync(fd);
      return undefined;
    }
    const item: Item = { entry: { kind: "file", path, mode, size: openedStats.size }, bytes: readOpen(fd) };
    return { item, [Symbol.dispose]: () => closeSync(fd) };
  } catch {
    return undefined;
  }
};

const withoutBytes = (entry: Entry): OpenedItem => ({
  item: { entry, bytes: nothing() },
  [Symbol.dispose]: () => undefined,
});

async function* readOpen(fd: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = new Uint8Array(READ_SIZE);
    const count = readSync(fd, bytes, 0, READ_SIZE, null);
    if (count === 0) return;
    yield bytes.subarray(0, count);
  }
}
