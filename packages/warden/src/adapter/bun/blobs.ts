/**
 * Stores blobs as files `ab/abcd…`. A blob is written to a draft and renamed once its bytes are on
 * disk.
 */
import { type Durability, HearthError } from "@hearth/protocol";
import { existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Blobs, type ListedBlob, shardPrefix, UNREFERENCED_MS } from "../../kernel/store/blobs.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Opens the folder and removes what an earlier process left half written. */
export const openBlobs = async (
  directory: string,
  { durability = "power" }: { readonly durability?: Exclude<Durability, "none"> } = {},
): Promise<Blobs> => {
  const drafts = join(directory, "drafts");
  /** Without a sync the system chooses when it writes. Only a power cut shows the difference. */
  const sync = durability === "power" ? syncHandle : () => Promise.resolve();
  /** A file's name is durable once its folder is synced. */
  const syncFolder = async (path: string): Promise<void> => {
    await using handle = await open(path, "r");
    await sync(handle);
  };
  /**
   * The shards whose names this process has synced. A failure clears them, because its cause may be
   * a removed folder.
   */
  const durableShards = new Set<string>();
  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    await using file = await open(path, "wx", 0o600);
    await file.writeFile(bytes);
    await sync(file);
  };
  await onDisk(directory, async () => {
    // An empty drafts folder stays: then the folder has not changed, and the sync below is fast.
    if (!(await isEmptyFolder(drafts))) {
      await rm(drafts, { recursive: true, force: true });
      await mkdir(drafts, { recursive: true, mode: 0o700 });
    }
    await syncFolder(directory);
    await syncFolder(dirname(directory));
  });

  return {
    put: (bytes) =>
      onDisk(directory, async () => {
        const draft = join(drafts, crypto.randomUUID());
        let hash: string;
        let shard: string;
        try {
          // The hash is computed on another thread while the disk works.
          [hash] = await Promise.all([digest(bytes), write(draft, bytes)]);
          shard = join(directory, hash.slice(0, 2));
          if (!durableShards.has(shard)) {
            await mkdir(shard, { recursive: true, mode: 0o700 });
            // The folder is synced even if the shard exists, because another caller may have created it without a sync.
            await syncFolder(directory);
            durableShards.add(shard);
          }
          // The rename also replaces an existing file, because that file may be damaged, or its
          // name may not be durable yet.
          await rename(draft, join(shard, hash));
        } catch (error) {
          durableShards.clear();
          await rm(draft, { force: true });
          throw error;
        }
        await syncFolder(shard);
        return hash;
      }),
    get: (hash) =>
      onDisk(directory, async () => {
        if (!HASH.test(hash)) return undefined;
        const path = join(directory, hash.slice(0, 2), hash);
        const bytes = await readFile(path).catch(undefinedIfMissing);
        if (bytes === undefined) return undefined;
        if (sha256(bytes) !== hash) {
          throw new HearthError("store.damaged", `${path} is damaged: its bytes are not what was written.`, {
            hint: "Restore the file from a backup, and check the disk for errors.",
          });
        }
        return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      }),
    remove: (hash) =>
      onDisk(directory, async () => {
        if (!HASH.test(hash)) return;
        const path = join(directory, hash.slice(0, 2), hash);
        // The blob is moved first and checked afterwards, so that a blob that is stored at the same
        // time is not removed.
        const movedPath = join(drafts, crypto.randomUUID());
        try {
          await rename(path, movedPath);
        } catch (error) {
          if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
          throw error;
        }
        if (Date.now() - (await stat(movedPath)).mtimeMs < UNREFERENCED_MS) await rename(movedPath, path);
        else await rm(movedPath, { force: true });
      }),
    erase: (hash) =>
      onDisk(directory, async () => {
        if (!HASH.test(hash)) return;
        const shard = join(directory, hash.slice(0, 2));
        await rm(join(shard, hash), { force: true });
        // The removal is durable once the folder is synced.
        if (existsSync(shard)) await syncFolder(shard);
      }),
    list: (shard) =>
      onDisk(directory, async () => {
        const folder = join(directory, shardPrefix(shard));
        const blobs: ListedBlob[] = [];
        for (const hash of await readdir(folder).catch(noneIfMissing)) {
          if (!HASH.test(hash)) continue;
          const file = await stat(join(folder, hash)).catch(undefinedIfMissing);
          if (file?.isFile() === true) blobs.push({ hash, sizeBytes: file.size, ageMs: Date.now() - file.mtimeMs });
        }
        return blobs;
      }),
  };
};

const undefinedIfMissing = (error: unknown): undefined => {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
};

const noneIfMissing = (error: unknown): readonly string[] => undefinedIfMissing(error) ?? [];

const isEmptyFolder = async (path: string): Promise<boolean> => {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && (stats.mode & 0o777) === 0o700 && (await readdir(path)).length === 0;
};

/** Size from which another thread computes the hash. */
const MIN_THREAD_BYTES = 256 * 1024;

const digest = async (bytes: Uint8Array): Promise<string> =>
  bytes.length < MIN_THREAD_BYTES
    ? sha256(bytes)
    : new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toHex();

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const syncHandle = (handle: FileHandle): Promise<void> => handle.sync();

const onDisk = async <Result>(directory: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new HearthError("store.unavailable", `The blobs in ${directory} cannot be used: ${cause.message}`, {
      hint: "Check that the disk has free space and that the home folder is writable.",
      cause,
    });
  }
};
