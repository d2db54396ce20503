/**
 * Writes a tree over a folder. A hostile tree can at worst fill the folder up to its bounds; it
 * never reaches outside.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lchownSync,
  lstatSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { HearthError } from "@hearth/protocol";
import { descend, type Folder, removeFrom } from "./folder.ts";
import type { Entry, Item } from "./tree-codec.ts";

export interface ApplyOptions {
  /** `inside`: links that lead or may lead out of the folder are skipped. */
  readonly links: "any" | "inside";
  /** The most that the folder may hold, including what is already there. */
  readonly bounds: Bounds;
  /** The owner, and additional mode bits. By default the owner is the running user. */
  readonly own?: (path: string) => { readonly owner: number; readonly mode: number };
}

/** How full a folder is. Kept from one tree to the next. */
export interface Bounds {
  readonly maxBytes: number;
  readonly maxEntries: number;
  readonly sizes: Map<string, number>;
  /** The sum of `sizes`. */
  total: number;
}

export const createBounds = (maxBytes: number, maxEntries: number): Bounds => ({
  maxBytes,
  maxEntries,
  total: 0,
  sizes: new Map(),
});

/** Throws `tool.failed` when there is more than the bounds allow, before it is written. */
export const applyTree = async (root: string, items: AsyncIterable<Item>, options: ApplyOptions): Promise<void> => {
  for await (const { entry, bytes } of items) {
    if (entry.kind === "link" && options.links === "inside" && leadsOut(entry.path, entry.target)) continue;
    addToBounds(options.bounds, entry);
    const names = entry.path.split("/");
    const name = names.pop() ?? "";
    using folder = enter(root, names, entry.kind);
    if (folder === undefined) continue;
    const at = `${folder.at}/${name}`;
    const own = options.own?.(entry.path);
    const more = own?.mode ?? 0;
    switch (entry.kind) {
      case "gone":
        removeFrom(folder, name);
        break;
      case "folder": {
        using created = descend(root, [...names, name], "create");
        // Its owner can always enter, so that later entries reach it. Those who may read it may
        // enter as well.
        chmodSync(`${created.at}/.`, entry.mode | 0o700 | more | (more >> 2));
        break;
      }
      case "link":
        removeFrom(folder, name);
        symlinkSync(entry.target, at);
        break;
      case "file":
        await writeFile(folder, name, entry.mode | 0o600 | more, bytes);
    }
    if (own !== undefined && entry.kind !== "gone") lchownSync(at, own.owner, own.owner);
  }
};

/** An entry to be removed in a missing folder is already gone. */
const enter = (root: string, names: readonly string[], kind: Entry["kind"]): Folder | undefined => {
  if (kind !== "gone") return descend(root, names, "create");
  try {
    return descend(root, names);
  } catch {
    return undefined;
  }
};

/**
 * A target may go up from the link's folder as far as the root, and then only down: a `..` after a
 * name could start anywhere, because the name may be a link. Any link that it passes leads inside
 * as well.
 */
const leadsOut = (path: string, target: string): boolean => {
  if (target.startsWith("/") || target.includes("\0")) return true;
  const names = target.split("/");
  const down = names.findIndex((name) => name !== "..");
  const up = down === -1 ? names.length : down;
  return up > path.split("/").length - 1 || names.indexOf("..", up) !== -1;
};

/** Throws `tool.failed` when the bounds are exceeded. */
export const addToBounds = (bounds: Bounds, entry: Entry): void => {
  const { sizes } = bounds;
  if (entry.kind === "gone") {
    for (const [path, size] of sizes) {
      if (path !== entry.path && !path.startsWith(`${entry.path}/`)) continue;
      sizes.delete(path);
      bounds.total -= size;
    }
    return;
  }
  const size = entry.kind === "file" ? entry.size : 0;
  bounds.total += size - (sizes.get(entry.path) ?? 0);
  sizes.set(entry.path, size);
  const words = (limitText: string) => new HearthError("tool.failed", `The folder holds more than ${limitText}.`);
  if (bounds.total > bounds.maxBytes) throw words(`${Math.floor(bounds.maxBytes / MIB)} MiB`);
  if (sizes.size > bounds.maxEntries) throw words(`${bounds.maxEntries} files`);
};

const MIB = 1024 * 1024;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** An existing file is replaced when the new one is complete, so that no reader sees half of it. */
const writeFile = async (
  folder: Folder,
  name: string,
  mode: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const at = `${folder.at}/${name}`;
  const before = lstatSync(at, { throwIfNoEntry: false });
  if (before?.isDirectory() === true) removeFrom(folder, name);
  // Not random: no random number may be drawn before a machine has its seed.
  const draft = before === undefined ? at : `${folder.at}/.draft-${process.pid}-${process.hrtime.bigint()}`;
  const fd = openSync(draft, CREATE, 0o600);
  try {
    for await (const piece of bytes)
      for (let length = 0; length < piece.length;) length += writeSync(fd, piece, length);
    fchmodSync(fd, mode);
    if (draft !== at) renameSync(draft, at);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  } finally {
    closeSync(fd);
  }
};
