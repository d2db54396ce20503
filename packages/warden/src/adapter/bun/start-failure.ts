/** Explains why a start failed: a full disk causes many different errors. */
import { statfsSync } from "node:fs";
import { HearthError, isHearthError } from "@hearth/protocol";

/** Error codes for a disk or a quota without space. */
const FULL_DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/**
 * SQLite reports some failures of a full disk as I/O errors, so the free space is checked as well.
 */
export const toStartFailure = (folder: string, error: unknown, spareBytes = freeBytesOf): unknown => {
  const isStore = isHearthError(error, "store.unavailable");
  if (!codesOf(error).some((code) => FULL_DISK_CODES.has(code)) && !(isStore && spareBytes(folder) === 0)) return error;
  return new HearthError("home.full", `The house cannot start: the disk of its home ${folder} is full.`, {
    hint: "Free space on that disk, then start the house again: hearth up. Nothing is lost.",
    cause: error,
  });
};

const codesOf = (error: unknown): readonly string[] => {
  const codes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && typeof cause.code === "string") codes.push(cause.code);
  return codes;
};

const freeBytesOf = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // An unreadable folder is another failure, so the caller gets the original error.
    return Infinity;
  }
};
