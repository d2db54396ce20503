/** `Files` in memory, for tests and for cells without a disk. */
import {
  compareNames,
  type Entry,
  type EntryKind,
  fileErrors,
  type Files,
  type FoundFile,
  type WalkOptions,
} from "./files.ts";
import { parseFilePath, parseFolderPath } from "./path.ts";

interface Node {
  readonly kind: EntryKind;
  bytes: Uint8Array;
  modifiedAt: number;
  readonly children: Map<string, Node>;
  /** Whether the file has a second hard link. */
  isHardLinked: boolean;
}

export interface MemoryFiles extends Files {
  /** Creates an entry that tools must refuse. */
  plant(path: string, kind: "link" | "hard-link" | "other"): Promise<void>;
}

export const createMemoryFiles = (options: { now: () => number }): MemoryFiles => {
  const create = (kind: EntryKind): Node => ({
    kind,
    bytes: new Uint8Array(0),
    modifiedAt: options.now(),
    children: new Map(),
    isHardLinked: false,
  });
  const root = create("folder");

  const findFolder = (path: string, names: readonly string[], missing: "create" | "throw"): Node => {
    let node = root;
    for (const name of names) {
      let child = node.children.get(name);
      if (child === undefined) {
        if (missing === "throw") throw fileErrors.missing(path);
        child = create("folder");
        node.children.set(name, child);
      }
      if (child.kind === "link") throw fileErrors.link(path);
      if (child.kind !== "folder") throw fileErrors.notFolder(path);
      node = child;
    }
    return node;
  };

  const put = (path: string, kind: EntryKind, bytes: Uint8Array): { created: boolean } => {
    const names = parseFilePath(path);
    const parent = findFolder(path, names.slice(0, -1), "create");
    const name = names.at(-1) ?? "";
    const existing = parent.children.get(name);
    if (existing !== undefined) checkFile(path, existing);
    parent.children.set(name, { ...create(kind), bytes: bytes.slice() });
    parent.modifiedAt = options.now();
    return { created: existing === undefined };
  };

  return {
    async read(path, maxBytes) {
      const names = parseFilePath(path);
      const node = findFolder(path, names.slice(0, -1), "throw").children.get(names.at(-1) ?? "");
      if (node === undefined) throw fileErrors.missing(path);
      checkFile(path, node);
      if (node.bytes.length > maxBytes) throw fileErrors.tooLarge(path, node.bytes.length, maxBytes);
      return node.bytes.slice();
    },
    async write(path, bytes) {
      return put(path, "file", bytes instanceof Uint8Array ? bytes : await collect(bytes));
    },
    async remove(path) {
      const names = parseFilePath(path);
      const parent = findFolder(path, names.slice(0, -1), "throw");
      const node = parent.children.get(names.at(-1) ?? "");
      if (node === undefined) throw fileErrors.missing(path);
      checkFile(path, node);
      parent.children.delete(names.at(-1) ?? "");
    },
    async stat(path) {
      const names = parseFolderPath(path);
      const name = names.at(-1);
      const node = name === undefined ? root : findFolder(path, names.slice(0, -1), "throw").children.get(name);
      if (node === undefined) throw fileErrors.missing(path);
      if (node.kind === "link") throw fileErrors.link(path);
      return toEntry(name ?? ".", node);
    },
    async list(path, limit) {
      const entries = sortedChildren(findFolder(path, parseFolderPath(path), "throw"));
      return { entries: entries.slice(0, limit).map(([name, node]) => toEntry(name, node)), total: entries.length };
    },
    async walk(path, walk) {
      const names = parseFolderPath(path);
      return walkNodes(findFolder(path, names, "throw"), names, walk);
    },
    async plant(path, kind) {
      put(path, kind === "hard-link" ? "file" : kind, new Uint8Array(0));
      const names = parseFilePath(path);
      const node = findFolder(path, names.slice(0, -1), "throw").children.get(names.at(-1) ?? "");
      if (node !== undefined) node.isHardLinked = kind === "hard-link";
    },
  };
};

const checkFile = (path: string, node: Node): void => {
  if (node.kind === "link") throw fileErrors.link(path);
  if (node.kind === "folder") throw fileErrors.folder(path);
  if (node.kind !== "file") throw fileErrors.notFile(path);
  if (node.isHardLinked) throw fileErrors.hardLink(path);
};

const sortedChildren = (node: Node): [string, Node][] => [...node.children].sort(([a], [b]) => compareNames(a, b));

const toEntry = (name: string, node: Node): Entry => ({
  name,
  kind: node.kind,
  sizeBytes: node.bytes.length,
  modifiedAt: node.modifiedAt,
});

const walkNodes = (
  start: Node,
  names: readonly string[],
  walk: WalkOptions,
): { files: FoundFile[]; complete: boolean } => {
  const files: FoundFile[] = [];
  let visitedCount = 0;
  let isComplete = true;
  const enter = (node: Node, parentNames: readonly string[], depth: number): void => {
    for (const [name, child] of sortedChildren(node)) {
      if (visitedCount >= walk.maxEntries || walk.signal.aborted) {
        isComplete = false;
        return;
      }
      visitedCount += 1;
      if (child.kind === "file") {
        files.push({
          path: [...parentNames, name].join("/"),
          sizeBytes: child.bytes.length,
          modifiedAt: child.modifiedAt,
        });
      } else if (child.kind === "folder" && !walk.skip.has(name)) {
        if (depth >= walk.maxDepth) isComplete = false;
        else enter(child, [...parentNames, name], depth + 1);
      }
    }
  };
  enter(start, names, 0);
  return { files, complete: isComplete };
};

const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const bytes: number[] = [];
  for await (const piece of pieces) bytes.push(...piece);
  return Uint8Array.from(bytes);
};
