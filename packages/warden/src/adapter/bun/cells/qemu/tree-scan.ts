/**
 * Finds what changed below a folder since the last scan. Links are reported as links; anything but
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

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const READ_SIZE = 64 * 1024;
const MAX_DEPTH = 100;

/** Yields the differences to `seen` and updates `seen`. A folder comes before its contents. */
export async function* scanTree(root: string, seen: KnownVersions, options: ScanOptions): AsyncGenerator<Item> {
  const met = new Set<string>();
  const walk = async function* (folder: Folder, prefix: string, depth: number): AsyncGenerator<Item> {
    for (const name of readdirSync(folder.at).sort()) {
      if (prefix === "" && options.except.has(name)) continue;
      if (met.size >= options.maxEntries) return;
      const path = `${prefix}${name}`;
      const at = `${folder.at}/${name}`;
      const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || kindOf(stats) === undefined) continue;
      met.add(path);
      const version = versionOf(stats);
      if (seen.get(path) !== version) {
        using found = itemAt(path, at, stats);
        if (found === undefined) {
          met.delete(path);
          continue;
        }
        yield found.item;
        seen.set(path, version);
      }
      if (stats.isDirectory() && depth < MAX_DEPTH) {
        let inner: Folder;
        try {
          inner = openFolder(at);
        } catch {
          // Removed or replaced meanwhile, or not readable.
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
    using top = openFolder(root);
    yield* walk(top, "", 0);
  }
  yield* goneOf(seen, met);
}

/** The topmost removed paths. */
async function* goneOf(seen: KnownVersions, met: ReadonlySet<string>): AsyncGenerator<Item> {
  let above: string | undefined;
  for (const path of [...seen.keys()].filter((known) => !met.has(known)).sort()) {
    seen.delete(path);
    if (above !== undefined && path.startsWith(`${above}/`)) continue;
    above = path;
    yield { entry: { kind: "gone", path }, bytes: nothing() };
  }
}

const kindOf = (stats: BigIntStats): "file" | "folder" | "link" | undefined =>
  stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : undefined;

/** A folder's times change with its contents, which are reported separately. */
const versionOf = (stats: BigIntStats): string =>
  stats.isDirectory()
    ? `folder ${stats.mode}`
    : `${stats.ino} ${stats.mode} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;

interface Found extends Disposable {
  readonly item: Item;
}

/** Undefined when it cannot be read. */
const itemAt = (path: string, at: string, stats: BigIntStats): Found | undefined => {
  const mode = Number(stats.mode) & 0o777;
  try {
    if (stats.isDirectory()) return bare({ kind: "folder", path, mode });
    if (stats.isSymbolicLink()) return bare({ kind: "link", path, target: readlinkSync(at) });
    const fd = openSync(at, READ);
    const opened = fstatSync(fd);
    if (!opened.isFile()) {
      closeSync(fd);
      return undefined;
    }
    const item: Item = { entry: { kind: "file", path, mode, size: opened.size }, bytes: readOpen(fd) };
    return { item, [Symbol.dispose]: () => closeSync(fd) };
  } catch {
    return undefined;
  }
};

const bare = (entry: Entry): Found => ({ item: { entry, bytes: nothing() }, [Symbol.dispose]: () => undefined });

async function* readOpen(fd: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = new Uint8Array(READ_SIZE);
    const count = readSync(fd, bytes, 0, READ_SIZE, null);
    if (count === 0) return;
    yield bytes.subarray(0, count);
  }
}
