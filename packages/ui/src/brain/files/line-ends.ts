/** Converts line endings between a file and a text field. Pure. */

/** Converts all line endings to LF, the only one that text fields use. */
export const toField = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Converts typed text to the line endings of the file, if the file uses only one kind. */
export const fromField = (typedText: string, fileText: string | undefined): string =>
  lineEndingOf(fileText ?? "") === "crlf" ? typedText.replace(/\n/g, "\r\n") : typedText;

/** Returns the kind of line endings. `mixed`: saving the file makes them uniform. */
export const lineEndingOf = (text: string): "lf" | "crlf" | "mixed" => {
  if (!text.includes("\r")) return "lf";
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? "mixed" : "crlf";
};
