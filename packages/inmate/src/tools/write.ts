/** Puts a whole text file in place. */
import { HearthError } from "@hearth/protocol";
import { quotePath } from "./path.ts";
import { encodeText } from "./text.ts";
import { MAX_FILE_SIZE, type RunTool, succeeded } from "./tool.ts";

export const write: RunTool<"write"> = async ({ path, content }, { files }) => {
  const bytes = encodeText(content);
  if (bytes.length > MAX_FILE_SIZE) {
    throw new HearthError(
      "tool.too-large",
      `${quotePath(path)} would have ${bytes.length} bytes; at most ${MAX_FILE_SIZE} can be written.`,
    );
  }
  const { created } = await files.write(path, bytes);
  return succeeded(`${created ? "Created" : "Replaced"} ${path} (${bytes.length} bytes).`);
};
