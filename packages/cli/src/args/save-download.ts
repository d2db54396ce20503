/** Saves the body of a response as a new file. */
import { open, rm } from "node:fs/promises";
import { HearthError } from "@hearth/protocol";
import { UsageError } from "./usage-error.ts";

/** Saves the body and returns its size in bytes. Never overwrites a file, and removes an incomplete one. */
export const saveDownload = async (response: Response, path: string): Promise<number> => {
  await using target = await open(path, "wx").catch(async (cause: unknown) => {
    await response.body?.cancel();
    throw new UsageError(`${path} cannot be created: ${messageOf(cause)}`, "Choose another path: --to PATH");
  });
  try {
    return await copyDownload(response, (bytes) => target.writeFile(bytes));
  } catch (cause) {
    await rm(path, { force: true });
    throw new HearthError("request.invalid", "The download was interrupted, and the incomplete file was removed.", {
      hint: "The file may have changed meanwhile, or the house stopped. Run the command again.",
      cause,
    });
  }
};

/** Passes the body to `write` piece by piece. Returns its size in bytes. */
export const copyDownload = async (
  response: Response,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<number> => {
  let sizeBytes = 0;
  for await (const bytes of response.body ?? []) {
    await write(bytes);
    sizeBytes += bytes.length;
  }
  return sizeBytes;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
