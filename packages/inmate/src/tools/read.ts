/**
 * Shows a text file or the text of a document, completely or from a given line. Lines have no
 * numbers, because `edit` needs the literal text.
 */
import { MAX_OUTPUT_LENGTH, type ToolInput, type ToolOutcome } from "@hearth/protocol/tools";
import { quotePath } from "./path.ts";
import { cutLine, decodeText, notTextError, toLines } from "./text.ts";
import { failure, MAX_FILE_SIZE, type RunTool, success, type ToolContext } from "./tool.ts";

const DEFAULT_LINES = 2000;
const MAX_LINE_LENGTH = 2000;
/** Maximum length of the shown text. It leaves room for the note at the end. */
const MAX_SHOWN_LENGTH = MAX_OUTPUT_LENGTH - 300;

type Input = ToolInput<"read">;

export const read: RunTool<"read"> = async (input, context) => {
  const bytes = await context.files.read(input.path, MAX_FILE_SIZE);
  const text = isDocument(bytes) ? undefined : decodeText(bytes);
  return text === undefined ? readDocument(input, bytes, context) : show(text, input);
};

/** Whether the file is a PDF or RTF document, which begins with text. */
const isDocument = (bytes: Uint8Array): boolean => /^(%PDF-|\s*\{\\rtf)/.test(LATIN.decode(bytes.subarray(0, 64)));
const LATIN = new TextDecoder("latin1");

/** Shows the Markdown of a document. */
const readDocument = async (input: Input, bytes: Uint8Array, context: ToolContext): Promise<ToolOutcome> => {
  const { path } = input;
  const converted = await context.documents?.(path, bytes, context.signal);
  if (converted === undefined) throw notTextError(path, bytes.length);
  if (converted.kind === "refused") return failure(`Cannot read ${quotePath(path)} as text. ${converted.why}`);
  const outcome = show(converted.text, input);
  return converted.cut && !outcome.failed
    ? { ...outcome, text: `${outcome.text}\n[the text is not all of the document]` }
    : outcome;
};

const show = (text: string, { offset = 1, limit = DEFAULT_LINES }: Input): ToolOutcome => {
  const lines = toLines(text);
  if (lines.length === 0) return success("[empty file]");
  if (offset > lines.length)
    return failure(`The file has ${countText(lines.length)}; offset ${offset} is past its end.`);
  const shownLines = takeFittingLines(lines.slice(offset - 1, offset - 1 + limit));
  const lastLine = offset + shownLines.length - 1;
  if (offset === 1 && lastLine === lines.length) return success(shownLines.join("\n"));
  const continuation = lastLine < lines.length ? `; continue with offset ${lastLine + 1}` : "";
  return success(`${shownLines.join("\n")}\n[lines ${offset}-${lastLine} of ${lines.length}${continuation}]`);
};

/** Returns as many whole lines as fit, but at least one. */
const takeFittingLines = (lines: readonly string[]): readonly string[] => {
  const shownLines: string[] = [];
  let length = 0;
  for (const line of lines) {
    const shownLine = cutLine(line, MAX_LINE_LENGTH);
    length += shownLine.length + 1;
    if (length > MAX_SHOWN_LENGTH) break;
    shownLines.push(shownLine);
  }
  return shownLines;
};

const countText = (lineCount: number): string => (lineCount === 1 ? "1 line" : `${lineCount} lines`);
