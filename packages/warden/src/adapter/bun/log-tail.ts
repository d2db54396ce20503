/** Reads the end of the daemon's log file. The daemon loads this module for the first reader of the log. */
import { open, type FileHandle } from "node:fs/promises";

/**
 * Returns whole lines from the end of the log, at most `maxBytes` of them. If the current file is
 * shorter, the end of the file before the last rotation comes first. Returns "" without a file.
 */
export const readLogTail = async (path: string, maxBytes: number): Promise<string> => {
  const current = await readEnd(path, maxBytes);
  const previous = await readEnd(`${path}.1`, maxBytes - Buffer.byteLength(current));
  return previous + current;
};

const readEnd = async (path: string, maxBytes: number): Promise<string> => {
  if (maxBytes <= 0) return "";
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString("utf8", 0, bytesRead);
    // The first line is incomplete, except at the start of the file.
    return length === size ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await file.close();
  }
};
