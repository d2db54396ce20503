/** Puts a whole text file in place. */
import { HearthError, isHearthError } from "@hearth/protocol";
import type { Files } from "./files.ts";
import { quotePath } from "./path.ts";
import { encodeText } from "./text.ts";
import { MAX_FILE_SIZE, type RunTool, succeeded } from "./tool.ts";

export const write: RunTool<"write"> = async ({ path, content }, { files, again }) => {
  const bytes = encodeText(content);
  if (bytes.length > MAX_FILE_SIZE) {
    throw new HearthError(
      "tool.too-large",
      `${quotePath(path)} would have ${bytes.length} bytes; at most ${MAX_FILE_SIZE} can be written.`,
    );
  }
  if (again && (await holds(files, path, bytes)))
    return succeeded(`${path} holds the content (${bytes.length} bytes).`);
  const { created } = await files.write(path, bytes);
  return succeeded(`${created ? "Created" : "Replaced"} ${path} (${bytes.length} bytes).`);
};

/** Whether an attempt before this one has written the file, and nobody changed it since. */
const holds = async (files: Pick<Files, "read">, path: string, bytes: Uint8Array): Promise<boolean> => {
  try {
    const found = await files.read(path, MAX_FILE_SIZE);
    return found.length === bytes.length && found.every((byte, index) => byte === bytes[index]);
  } catch (error) {
    // It is not there or is too large to be the same: it is written.
    if (isHearthError(error)) return false;
    throw error;
  }
};
