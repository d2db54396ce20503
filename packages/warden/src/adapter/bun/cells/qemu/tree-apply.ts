/**
 * Writes a tree over a folder. A hostile tree can at worst fill the folder up to its bounds. It
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
  /** With `inside`, links that lead or may lead out of the folder are skipped. */
  readonly links: "any" | "inside";
  /** The most that the folder may hold, including what is already there. */
  readonly bounds: Bounds;
  /** The owner, and additional mode bits. By default the owner is the running user. */
  readonly own?: (path: string) => { readonly owner: number; readonly mode: number };
}

/** How full a folder is. It is kept from one tree to the next. */
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

/** Writes the tree. Throws `tool.failed` before it writes more than the bounds allow. */
export const applyTree = async (root: string, items: AsyncIterable<Item>, options: ApplyOptions): Promise<void> => {
  for await (const { entry, bytes } of items) {
    if (entry.kind === "link" && options.links === "inside" && leadsOut(entry.path, entry.target)) continue;
    addToBounds(options.bounds, entry);
    const names = entry.path.split("/");
    const name = names.pop() ?? "";
    using folder = enter(root, names, entry.kind);
    if (folder === undefined) continue;
    const path = `${folder.at}/${name}`;
    const ownership = options.own?.(entry.path);
    const extraMode = ownership?.mode ?? 0;
    switch (entry.kind) {
      case "gone":
        removeFrom(folder, name);
        break;
      case "folder": {
        using createdFolder = descend(root, [...names, name], "create");
        // The folder's owner can always enter it, so that later entries reach it. Those who may
        // read it may enter as well.
        chmodSync(`${createdFolder.at}/.`, entry.mode | 0o700 | extraMode | (extraMode >> 2));
        break;
      }
      case "link":
        removeFrom(folder, name);
        symlinkSync(entry.target, path);
        break;
      case "file":
        await writeFile(folder, name, entry.mode | 0o600 | extraMode, bytes);
    }
    if (ownership !== undefined && entry.kind !== "gone") lchownSync(path, ownership.owner, ownership.owner);
  }
};

/** Opens the folder of an entry. Returns undefined if the entry is to be removed and its folder is missing. */
const enter = (root: string, names: readonly string[], kind: Entry["kind"]): Folder | undefined => {
  if (kind !== "gone") return descend(root, names, "create");
  try {
    return descend(root, names);
  } catch {
    return undefined;
  }
};

/**
 * Whether a link may lead out of the folder. A target may go up from the link's folder as far as
 * the root, and then only down: a `..` after a name could start anywhere, because the name may be a
 * link. Any link that it passes leads inside as well.
 */
const leadsOut = (path: string, target: string): boolean => {
  if (target.startsWith("/") || target.includes("\0")) return true;
  const names = target.split("/");
  const down = names.findIndex((name) => name !== "..");
  const up = down === -1 ? names.length : down;
  return up > path.split("/").length - 1 || names.indexOf("..", up) !== -1;
};

/** Counts the entry. Throws `tool.failed` when the bounds are exceeded. */
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
  const exceededError = (limitText: string) =>
    new HearthError("tool.failed", `The folder holds more than ${limitText}.`);
  if (bounds.total > bounds.maxBytes) throw exceededError(`${Math.floor(bounds.maxBytes / MIB)} MiB`);
  if (sizes.size > bounds.maxEntries) throw exceededError(`${bounds.maxEntries} files`);
};

const MIB = 1024 * 1024;
const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a file. An existing file is replaced when the new one is complete, so that no reader sees half of it. */
const writeFile = async (
  folder: Folder,
  name: string,
  mode: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const path = `${folder.at}/${name}`;
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) removeFrom(folder, name);
  // The name is not random: no random number may be drawn before a machine has its seed.
  const draft = existing === undefined ? path : `${folder.at}/.draft-${process.pid}-${process.hrtime.bigint()}`;
  const fd = openSync(draft, CREATE_FLAGS, 0o600);
  try {
    for await (const piece of bytes)
      for (let length = 0; length < piece.length;) length += writeSync(fd, piece, length);
    fchmodSync(fd, mode);
    if (draft !== path) renameSync(draft, path);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  } finally {
    closeSync(fd);
  }
};
