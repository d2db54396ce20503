/**
 * Shows a text file, whole or from a line on. Lines have no numbers, because `edit` needs the
 * literal text.
 */
import { MAX_OUTPUT_LENGTH } from "@hearth/protocol/tools";
import { cutLine, decodeText, notText, toLines } from "./text.ts";
import { failed, MAX_FILE_SIZE, type RunTool, succeeded } from "./tool.ts";

const DEFAULT_LINES = 2000;
const MAX_LINE_LENGTH = 2000;
/** Leaves room for the note at the end. */
const MAX_SHOWN_LENGTH = MAX_OUTPUT_LENGTH - 200;

export const read: RunTool<"read"> = async ({ path, offset = 1, limit = DEFAULT_LINES }, { files }) => {
  const bytes = await files.read(path, MAX_FILE_SIZE);
  const text = decodeText(bytes);
  if (text === undefined) throw notText(path, bytes.length);
  const lines = toLines(text);
  if (lines.length === 0) return succeeded("[empty file]");
  if (offset > lines.length) return failed(`The file has ${count(lines.length)}; offset ${offset} is past its end.`);
  const shown = fit(lines.slice(offset - 1, offset - 1 + limit));
  const last = offset + shown.length - 1;
  if (offset === 1 && last === lines.length) return succeeded(shown.join("\n"));
  const next = last < lines.length ? `; continue with offset ${last + 1}` : "";
  return succeeded(`${shown.join("\n")}\n[lines ${offset}-${last} of ${lines.length}${next}]`);
};

/** As many whole lines as fit, at least one. */
const fit = (lines: readonly string[]): readonly string[] => {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    const cut = cutLine(line, MAX_LINE_LENGTH);
    length += cut.length + 1;
    if (length > MAX_SHOWN_LENGTH) break;
    shown.push(cut);
  }
  return shown;
};

const count = (lines: number): string => (lines === 1 ? "1 line" : `${lines} lines`);
