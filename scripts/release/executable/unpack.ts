/** Unpacks the programs of an executable once per version and user. */
import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { Parser } from "tar";

export interface Unpacking {
  /** A folder of this user. Created if it does not exist. */
  readonly cache: string;
  /** Name of the version's folder in the cache. */
  readonly key: string;
  readonly archive: Blob;
}

const OTHERS_WRITE = 0o022;
const PRIVATE = 0o700;

/** Hearth starts its processes with this option first; the bundler of a virtual machine with `build`. */
export const isRuntimeCall = (words: readonly string[]): boolean =>
  words[0] === "--no-install" || (words[0] === "build" && words.includes("--target=bun"));

/**
 * Absolute path of the unpacked folder. Concurrent calls do not interfere, and a call that was cut
 * off leaves nothing that a later one uses. Refuses folders that another user may write.
 */
export const unpackOnce = async ({ cache, key, archive }: Unpacking): Promise<string> => {
  const folder = join(cache, key);
  makePrivate(cache);
  if (exists(folder)) {
    requireOwn(folder);
    return folder;
  }
  const draft = join(cache, `.draft-${randomUUID()}`);
  try {
    mkdirSync(draft, { mode: PRIVATE });
    await unpack(archive, draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start may have unpacked the folder first.
    if (!exists(folder)) throw cannotUnpack(cache, error);
  }
  requireOwn(folder);
  return folder;
};

const makePrivate = (cache: string): void => {
  try {
    mkdirSync(cache, { recursive: true, mode: PRIVATE });
  } catch (error) {
    throw cannotUnpack(cache, error);
  }
  requireOwn(cache);
};

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const requireOwn = (path: string): void => {
  const { uid, mode } = lstatSync(path);
  const isFolder = lstatSync(path).isDirectory();
  if (isFolder && uid === process.getuid?.() && (mode & OTHERS_WRITE) === 0) return;
  throw new Error(
    `${path} is not a folder that only you can write, so another user may have changed the programs in it. ` +
      "Remove it, or set XDG_CACHE_HOME to a folder of yours, then try again.",
  );
};

const cannotUnpack = (cache: string, cause: unknown): Error =>
  new Error(
    `Cannot unpack the programs into ${cache}: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      "Set XDG_CACHE_HOME to a folder with 300 MB that you can write, then try again.",
    { cause },
  );

const unpack = async (archive: Blob, folder: string): Promise<void> => {
  const bytes = await Bun.zstdDecompress(new Uint8Array(await archive.arrayBuffer()));
  const written: Promise<void>[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      const parts: Uint8Array[] = [];
      entry.on("data", (part: Uint8Array) => parts.push(Uint8Array.from(part)));
      entry.on("end", () => written.push(writeEntry(folder, entry.path, entry.mode ?? 0, Buffer.concat(parts))));
    },
  });
  await new Promise<void>((resolve, reject) => {
    parser.on("end", resolve);
    parser.on("error", reject);
    parser.end(Buffer.from(bytes));
  });
  await Promise.all(written);
};

const writeEntry = async (folder: string, path: string, mode: number, body: Uint8Array): Promise<void> => {
  const target = join(folder, path);
  if (!target.startsWith(folder + sep)) throw new Error(`the archive names a file outside of itself, ${path}`);
  await mkdir(dirname(target), { recursive: true, mode: PRIVATE });
  await writeFile(target, body, { flag: "wx" });
  if ((mode & 0o100) !== 0) await chmod(target, 0o755);
};
