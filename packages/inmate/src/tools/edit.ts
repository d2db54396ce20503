/** Replaces text in a file, if the match is unambiguous. */
import { HearthError } from "@hearth/protocol";
import { decodeText, encodeText, notTextError } from "./text.ts";
import { MAX_FILE_SIZE, type RunTool, success } from "./tool.ts";

export const edit: RunTool<"edit"> = async ({ path, old, new: replacement, all = false }, { files }) => {
  if (old === "") throw invalidError("`old` is empty.", "Give the text to replace, or use `write` for a whole file.");
  if (old === replacement) throw invalidError("`old` and `new` are the same.");
  const bytes = await files.read(path, MAX_FILE_SIZE);
  const text = decodeText(bytes);
  if (text === undefined) throw notTextError(path, bytes.length);
  const { pieces, joiner } = splitAtMatches(text, old, replacement);
  const count = pieces.length - 1;
  if (count === 0)
    throw invalidError(
      "`old` is not in the file.",
      "It must match exactly, white space included. Read the file again.",
    );
  if (count > 1 && !all)
    throw invalidError(`\`old\` is in the file ${count} times.`, "Give more of the text around it, or set `all`.");
  const newBytes = encodeText(pieces.join(joiner));
  if (newBytes.length > MAX_FILE_SIZE)
    throw new HearthError(
      "tool.too-large",
      `The file would have ${newBytes.length} bytes; at most ${MAX_FILE_SIZE} can be written.`,
    );
  await files.write(path, newBytes);
  return success(`Replaced ${count === 1 ? "1 place" : `${count} places`} in ${path}.`);
};

/**
 * Splits the text at `old`. Models do not see Windows line endings. In a file with them, this also
 * tries `old` and the replacement with Windows line endings.
 */
const splitAtMatches = (
  text: string,
  old: string,
  replacement: string,
): { pieces: readonly string[]; joiner: string } => {
  const hasWindowsLineEnds = text.includes("\r\n");
  const joiner = hasWindowsLineEnds ? toWindows(replacement) : replacement;
  const exactPieces = text.split(old);
  return exactPieces.length === 1 && hasWindowsLineEnds
    ? { pieces: text.split(toWindows(old)), joiner }
    : { pieces: exactPieces, joiner };
};

const toWindows = (text: string): string => text.replace(/\r?\n/g, "\r\n");

const invalidError = (message: string, hint?: string): HearthError =>
  new HearthError("tool.invalid", message, hint === undefined ? {} : { hint });
