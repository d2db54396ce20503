/** Reads files of a home or a backup in chunks. */
import { type FileHandle, open, readFile } from "node:fs/promises";
import type { Digest } from "./backup-disk.ts";

const CHUNK_BYTES = 1024 * 1024;

/** Yields the chunks of a file. Each chunk is valid until the next one is requested. */
export const chunksOf = async function* (file: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
};

export const digestOf = async (file: FileHandle): Promise<Digest> => {
  const hasher = new Bun.CryptoHasher("sha256");
  let sizeBytes = 0;
  for await (const chunk of chunksOf(file)) {
    hasher.update(chunk);
    sizeBytes += chunk.length;
  }
  return { hash: hasher.digest("hex"), sizeBytes };
};

/** Returns the digest of a file, or undefined if it is missing. */
export const digestAt = async (path: string): Promise<Digest | undefined> => {
  const file = await open(path, "r").catch(undefinedIfMissing);
  if (file === undefined) return undefined;
  await using openFile = file;
  return await digestOf(openFile);
};

/** Returns the bytes of a file, or undefined if it is missing. */
export const readWhole = (path: string): Promise<Uint8Array | undefined> => readFile(path).catch(undefinedIfMissing);

export const undefinedIfMissing = (error: unknown): undefined => {
  if (codeOf(error) !== "ENOENT") throw error;
};

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
