/** Creates or replaces a whole text file. */
import { HearthError, isHearthError } from "@hearth/protocol";
import type { Files } from "./files.ts";
import { quotePath } from "./path.ts";
import { encodeText } from "./text.ts";
import { MAX_FILE_SIZE, type RunTool, success } from "./tool.ts";

export const write: RunTool<"write"> = async ({ path, content }, { files, again }) => {
  const bytes = encodeText(content);
  if (bytes.length > MAX_FILE_SIZE) {
    throw new HearthError(
      "tool.too-large",
      `${quotePath(path)} would have ${bytes.length} bytes; at most ${MAX_FILE_SIZE} can be written.`,
    );
  }
  if (again && (await hasContent(files, path, bytes)))
    return success(`${path} already has this content (${bytes.length} bytes).`);
  const { created } = await files.write(path, bytes);
  return success(`${created ? "Created" : "Replaced"} ${path} (${bytes.length} bytes).`);
};

/** Whether the file already has this content, because an earlier attempt wrote it. */
const hasContent = async (files: Pick<Files, "read">, path: string, bytes: Uint8Array): Promise<boolean> => {
  try {
    const existing = await files.read(path, MAX_FILE_SIZE);
    return existing.length === bytes.length && existing.every((byte, index) => byte === bytes[index]);
  } catch (error) {
    // The file is missing, or too large to be equal.
    if (isHearthError(error)) return false;
    throw error;
  }
};
