/** Opens a local file for an upload. */
import { basename, resolve } from "node:path";
import type { UploadSource } from "@hearth/client";
import { UsageError } from "./usage-error.ts";

const STDIN = "-";

/** Opens a file. `-` is stdin, which is read completely. Throws `UsageError` if the file cannot be read. */
export const openFile = async (path: string, cwd: string): Promise<UploadSource> => {
  const blob = path === STDIN ? new Blob([await Bun.stdin.bytes()]) : await openAt(resolve(cwd, path), path);
  if (blob.size === 0)
    throw new UsageError(`${path === STDIN ? "stdin" : path} is empty.`, "Give a file with content.");
  return {
    name: path === STDIN ? "stdin" : basename(path),
    sizeBytes: blob.size,
    read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
  };
};

const openAt = async (absolute: string, path: string): Promise<Blob> => {
  const file = Bun.file(absolute);
  const stat = await file.stat().catch(() => undefined);
  if (stat?.isFile() !== true) throw new UsageError(`${path} is not a file that can be read.`, "Check the path.");
  return file;
};
