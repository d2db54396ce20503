/**
 * The operations that change a backup folder or a restored home. Tests interrupt a backup or a
 * restore at each operation.
 */
import { chmod, mkdir, open, rename, rm, statfs, symlink, utimes } from "node:fs/promises";

export interface Digest {
  /** The SHA-256 of the bytes, lower-case hex. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** The disk of backups, exports and updates. Tests pass a disk that fails at a chosen operation. */
export interface BackupDisk {
  /** Creates one folder that only its owner can read. Keeps an existing folder. */
  makeFolder(path: string): Promise<void>;
  /** Writes a new file. When it resolves, the bytes of the file are durable, but its name is not. */
  write(path: string, chunks: Chunks): Promise<Digest>;
  /** Creates a file that only its owner can read, and lets `make` fill it. The file is as durable as after `write`. */
  create(path: string, make: (path: string) => void | Promise<void>): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with its contents. */
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  setModified(path: string, atMs: number): Promise<void>;
  link(target: string, path: string): Promise<void>;
  /** Free bytes on the disk of this folder. */
  freeBytes(path: string): Promise<number>;
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export const createBackupDisk = (): BackupDisk => ({
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  async write(path, chunks) {
    await using file = await open(path, "wx", 0o600);
    const hasher = new Bun.CryptoHasher("sha256");
    let sizeBytes = 0;
    for await (const chunk of chunks) {
      hasher.update(chunk);
      sizeBytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
    return { hash: hasher.digest("hex"), sizeBytes };
  },
  async create(path, make) {
    await (await open(path, "wx", 0o600)).close();
    await make(path);
    await sync(path);
  },
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
  syncFolder: sync,
  setMode: chmod,
  setModified: (path, atMs) => utimes(path, atMs / 1000, atMs / 1000),
  link: symlink,
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
});

const sync = async (path: string): Promise<void> => {
  await using handle = await open(path, "r");
  await handle.sync();
};
