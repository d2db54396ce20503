/** Why a start failed, in words: a full disk shows itself as many different errors. */
import { statfsSync } from "node:fs";
import { HearthError, isHearthError } from "@hearth/protocol";

/** Error codes for a disk or a quota without space. */
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

/** SQLite calls some failures of a full disk an error of the disk; then the disk is asked. */
export const toStartFailure = (folder: string, error: unknown, spareBytes = spareOf): unknown => {
  const isStore = isHearthError(error, "store.unavailable");
  if (!codesOf(error).some((code) => FULL.has(code)) && !(isStore && spareBytes(folder) === 0)) return error;
  return new HearthError("home.full", `The house cannot start: the disk of its home ${folder} is full.`, {
    hint: "Make room on that disk, then start it again: hearth up. Nothing is lost.",
    cause: error,
  });
};

const codesOf = (error: unknown): readonly string[] => {
  const codes: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause)
    if ("code" in one && typeof one.code === "string") codes.push(one.code);
  return codes;
};

const spareOf = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // An unreadable folder is another failure; the caller gets the original error.
    return Infinity;
  }
};
