/** A field of a page knows one end of a line. What a file has is put back when it is saved. Pure. */

/** As a text field holds it. */
export const toField = (text: string): string => text.replace(/\r\n?/g, "\n");

/** As the file has it, if all its lines end alike. */
export const fromField = (typed: string, file: string | undefined): string =>
  endsOf(file ?? "") === "crlf" ? typed.replace(/\n/g, "\r\n") : typed;

/** `mixed`: saving makes them all alike. */
export const endsOf = (text: string): "lf" | "crlf" | "mixed" => {
  if (!text.includes("\r")) return "lf";
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? "mixed" : "crlf";
};
