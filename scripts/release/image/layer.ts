/** Writes the layers of a container image: the same entries give the same bytes, anywhere and at any time. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Header, Pax } from "tar";

/** A file, folder or symbolic link. Its path is relative to the root and has no `..`. */
export type Entry =
  | { readonly kind: "file"; readonly path: string; readonly from: string | Uint8Array; readonly isProgram: boolean }
  | { readonly kind: "folder"; readonly path: string; readonly mode?: number; readonly owner?: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string };

export interface Layer {
  /** `sha256:` and the hash of the compressed layer, as a manifest names it. */
  readonly digest: string;
  readonly size: number;
  /** `sha256:` and the hash of the uncompressed layer, as the image's configuration names it. */
  readonly diffId: string;
}

const BLOCK = 512;
const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;
const LINK_MODE = 0o777;
/** Compression level. Level 9 takes three times as long and saves 1 %. */
const LEVEL = 6;
const types = { file: "File", folder: "Directory", link: "SymbolicLink" } as const;

/** Writes a layer as `tar` and gzip. Times are 1970, and owners are root unless an entry names one. */
export const writeLayer = async (entries: readonly Entry[], path: string): Promise<Layer> => {
  const plain = createHash("sha256");
  const packed = createHash("sha256");
  await pipeline(
    Readable.from(hashed(tarOf(complete(entries)), plain)),
    createGzip({ level: LEVEL }),
    (source: AsyncIterable<Uint8Array>) => hashed(source, packed),
    createWriteStream(path),
  );
  return {
    digest: `sha256:${packed.digest("hex")}`,
    size: statSync(path).size,
    diffId: `sha256:${plain.digest("hex")}`,
  };
};

/** The bytes of an uncompressed `tar` with these entries, in the order of their paths. */
export async function* tarOf(entries: readonly Entry[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const size = entry.kind === "file" ? sizeOf(entry.from) : 0;
    yield headerOf(entry, size);
    if (entry.kind !== "file") continue;
    if (typeof entry.from === "string") yield* createReadStream(entry.from) as AsyncIterable<Uint8Array>;
    else yield entry.from;
    yield new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield new Uint8Array(2 * BLOCK);
}

/** Adds the folders that the paths need, and refuses two entries with one path. */
const complete = (entries: readonly Entry[]): readonly Entry[] => {
  const all = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.path.startsWith("/") || entry.path.split("/").includes("..")) {
      throw new Error(`A layer cannot hold ${entry.path}: its path leaves the root. Make it relative to the root.`);
    }
    const known = all.get(entry.path);
    if (known !== undefined && !(known.kind === "link" && entry.kind === "link" && known.target === entry.target)) {
      throw new Error(`Two entries of a layer have the path ${entry.path}. Take one of them out.`);
    }
    all.set(entry.path, entry);
  }
  for (const { path } of entries) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (!all.has(folder)) all.set(folder, { kind: "folder", path: folder });
    }
  }
  return [...all.values()];
};

const sizeOf = (from: string | Uint8Array): number => (typeof from === "string" ? statSync(from).size : from.length);

const modeOf = (entry: Entry): number => {
  if (entry.kind === "link") return LINK_MODE;
  if (entry.kind === "folder") return entry.mode ?? PROGRAM_MODE;
  return entry.isProgram ? PROGRAM_MODE : FILE_MODE;
};

const headerOf = (entry: Entry, size: number): Uint8Array => {
  const owner = entry.kind === "folder" ? (entry.owner ?? 0) : 0;
  const facts = {
    path: entry.kind === "folder" ? `${entry.path}/` : entry.path,
    type: types[entry.kind],
    mode: modeOf(entry),
    uid: owner,
    gid: owner,
    size,
    mtime: new Date(0),
    linkpath: entry.kind === "link" ? entry.target : "",
  };
  const header = new Header(facts);
  const isLong = header.encode();
  const block = header.block;
  if (block === undefined) throw new Error(`${entry.path} has no header. This is a bug in the release scripts.`);
  if (!isLong) return block;
  const { path, linkpath } = facts;
  return Buffer.concat([new Pax(linkpath === "" ? { path } : { path, linkpath }).encode(), block]);
};

async function* hashed(
  source: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    hash.update(part);
    yield part;
  }
}
