/**
 * Stores brains in memory, for tests. Maps the path below the root to text. A path that ends in `/`
 * is a folder.
 */
import { HearthError } from "@hearth/protocol";
import type { BrainDisk, BrainTree, FileFacts, FolderEntry } from "./disk.ts";
import { decodeText } from "./lines.ts";

/** The text or the bytes of each file. A test that sets one makes an edit by hand. */
export type MemoryFiles = Map<string, string | Uint8Array>;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

export const createMemoryBrainDisk = (files: MemoryFiles = new Map<string, string | Uint8Array>()): BrainDisk => {
  const stamps = createStamps(files);
  const textOf = (path: string): string | undefined => {
    const file = files.get(path);
    return file instanceof Uint8Array ? decoder.decode(file) : file;
  };
  return {
    absolute: (path) => `/brains/${path}`,
    read: async (path) => textOf(path),
    write: async (path, text) => {
      files.set(path, text);
    },
    makeFolder: async (path) => {
      files.set(`${path}/`, "");
    },
    async copy(from, names, to) {
      for (const path of [...files.keys()]) if (path.startsWith(`${to}/`)) files.delete(path);
      for (const [path, text] of [...files]) {
        const name = path.startsWith(`${from}/`) ? path.slice(from.length + 1) : undefined;
        if (name !== undefined && names.some((existing) => name === existing || name.startsWith(`${existing}/`)))
          files.set(`${to}/${name}`, text);
      }
    },
    folders: async () => [...new Set([...files.keys()].map((path) => path.slice(0, path.indexOf("/"))))],
    tree: (folder) => createMemoryTree(files, stamps, `${folder}/`),
  };
};

const createMemoryTree = (files: MemoryFiles, stampOf: (path: string) => string, root: string): BrainTree => {
  const bytesOf = (path: string): Uint8Array | undefined => {
    const file = files.get(root + path);
    return typeof file === "string" ? encoder.encode(file) : file;
  };
  const factsOf = (path: string): FileFacts | undefined => {
    const bytes = bytesOf(path);
    return bytes === undefined
      ? undefined
      : { path, sizeBytes: bytes.length, stamp: stampOf(root + path), changedAt: 0 };
  };
  const isFolder = (path: string): boolean => [...files.keys()].some((file) => file.startsWith(`${root}${path}/`));
  const statFile = (path: string): FileFacts | undefined => {
    if (isFolder(path)) throw new HearthError("brain.path", `${path} is a folder.`, { hint: "Name a file." });
    return factsOf(path);
  };
  return {
    stat: async (path) => statFile(path),
    async names(folder) {
      const start = `${root}${folder}/`;
      const below = [...files.keys()].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
      return [...new Set(below.map((path) => path.split("/")[0] ?? ""))].filter((name) => name !== "").sort();
    },
    async entries(folder, maxEntries) {
      if (factsOf(folder) !== undefined)
        throw new HearthError("brain.path", `${folder} is a file.`, { hint: "Name a folder." });
      if (!isFolder(folder)) return undefined;
      const entries = (await this.names(folder)).map((name): FolderEntry => {
        const facts = factsOf(`${folder}/${name}`);
        return facts === undefined
          ? { name, kind: "folder", changedAt: 0 }
          : { name, kind: "file", changedAt: facts.changedAt, sizeBytes: facts.sizeBytes };
      });
      return { entries: entries.slice(0, maxEntries), isComplete: entries.length <= maxEntries };
    },
    async *pieces({ path, stamp }, from, to) {
      const bytes = statFile(path)?.stamp === stamp ? bytesOf(path) : undefined;
      if (bytes === undefined) throw new HearthError("brain.changed", `${path} changed while it was read.`);
      yield bytes.slice(from, to);
    },
    async read(path, maxBytes) {
      const facts = statFile(path);
      const bytes = bytesOf(path);
      if (facts === undefined || bytes === undefined) return undefined;
      if (bytes.length > maxBytes)
        throw new HearthError("brain.too-large", `${path} has ${bytes.length} bytes; at most ${maxBytes} are read.`);
      return { ...facts, bytes: bytes.slice() };
    },
    async replace(path, bytes, expected) {
      if (statFile(path)?.stamp !== expected) return undefined;
      files.set(root + path, decodeText(bytes) ?? bytes.slice());
      return factsOf(path);
    },
    async remove(path, expected) {
      if (factsOf(path)?.stamp !== expected) return false;
      files.delete(root + path);
      return true;
    },
    async walk(folder, { skips, maxFiles }) {
      const start = folder === "" ? root : `${root}${folder}/`;
      const isSkipped = (path: string): boolean => {
        const names = path.split("/");
        return names.some((name, index) => skips(name, names.slice(0, index + 1).join("/")));
      };
      const paths = [...files.keys()]
        .filter((path) => path.startsWith(start) && !path.endsWith("/"))
        .map((path) => path.slice(root.length))
        .filter((path) => !isSkipped(path))
        .sort();
      const notes =
        paths.length > maxFiles
          ? [{ path: paths[maxFiles] ?? folder, why: `there are more than ${maxFiles} files` }]
          : [];
      return {
        files: paths.slice(0, maxFiles).flatMap((path) => factsOf(path) ?? []),
        links: [],
        notes,
        isComplete: notes.length === 0,
      };
    },
  };
};

/** A file with an equal text keeps its stamp. A file of bytes always gets a new stamp. */
const createStamps = (files: MemoryFiles): ((path: string) => string) => {
  const stampedFiles = new Map<string, { readonly file: string | Uint8Array; readonly stamp: string }>();
  let count = 0;
  return (path) => {
    const file = files.get(path);
    const stamped = stampedFiles.get(path);
    if (file === undefined) return "";
    if (stamped?.file === file) return stamped.stamp;
    const stamp = `v${(count += 1)}`;
    stampedFiles.set(path, { file, stamp });
    return stamp;
  };
};
