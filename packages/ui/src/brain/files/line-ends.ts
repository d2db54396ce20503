/** Converts line endings between a file and a text field. Pure. */

/** Text fields use LF only. */
export const toField = (text: string): string => text.replace(/\r\n?/g, "\n");

/** With the line endings of the file, if they are uniform. */
export const fromField = (typed: string, file: string | undefined): string =>
  lineEndingOf(file ?? "") === "crlf" ? typed.replace(/\n/g, "\r\n") : typed;

/** `mixed`: saving makes them uniform. */
export const lineEndingOf = (text: string): "lf" | "crlf" | "mixed" => {
  if (!text.includes("\r")) return "lf";
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? "mixed" : "crlf";
};
