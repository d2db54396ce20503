/** Blobs as files: `ab/abcd…`, written beside their place and moved there once they are on the disk. */
import { HearthError } from "@hearth/protocol";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Blobs } from "../../store/blobs.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Takes a folder over: what an earlier process left half written is removed. */
export const openBlobs = async (directory: string): Promise<Blobs> => {
  const drafts = join(directory, "drafts");
  await onDisk(directory, async () => {
    await rm(drafts, { recursive: true, force: true });
    await mkdir(drafts, { recursive: true, mode: 0o700 });
    await sync(directory);
    await sync(dirname(directory));
  });

  return {
    put: (bytes) =>
      onDisk(directory, async () => {
        const hash = sha256(bytes);
        const shard = join(directory, hash.slice(0, 2));
        const draft = join(drafts, crypto.randomUUID());
        try {
          await write(draft, bytes);
          await mkdir(shard, { recursive: true, mode: 0o700 });
          // Although the shard may be old: whoever made it a moment ago may not have come to this yet.
          await sync(directory);
          // Over one that is there, too: that one may be damaged, or not yet on the disk by its name.
          await rename(draft, join(shard, hash));
        } catch (error) {
          await rm(draft, { force: true });
          throw error;
        }
        await sync(shard);
        return hash;
      }),
    get: (hash) =>
      onDisk(directory, async () => {
        if (!HASH.test(hash)) return undefined;
        const path = join(directory, hash.slice(0, 2), hash);
        const bytes = await readFile(path).catch((error: unknown) => {
          if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
          throw error;
        });
        if (bytes === undefined) return undefined;
        if (sha256(bytes) !== hash) {
          throw new HearthError("store.unavailable", `${path} is damaged: its bytes are not what was written.`, {
            hint: "Restore the file from a backup, and look after the disk.",
          });
        }
        return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      }),
  };
};

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const write = async (path: string, bytes: Uint8Array): Promise<void> => {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(bytes);
  await file.sync();
};

/** A name in a folder is durable once the folder is. */
const sync = async (directory: string): Promise<void> => {
  await using handle = await open(directory, "r");
  await handle.sync();
};

const onDisk = async <Result>(directory: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new HearthError("store.unavailable", `The blobs in ${directory} cannot be used: ${cause.message}`, {
      hint: "Check that the disk has space left and that the home folder can be written.",
      cause,
    });
  }
};
