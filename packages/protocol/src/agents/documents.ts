/** Documents as text: the result and limits of a conversion, and the text for a model. */
import { z } from "zod";
import { citationNote } from "../events/attachment.ts";

/** Maximum size of a document that is converted. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Maximum length of the text of one document, in UTF-16 code units. The rest is left out. */
export const MAX_DOCUMENT_TEXT = 2_000_000;
const needsOcr = z.literal(true).exactOptional();

/** Maximum time of one conversion. */
export const DOCUMENT_SECONDS = 30;

/**
 * The result of a conversion. `cut`: the document has more text. `why` of a refusal is one sentence.
 * `needsOcr`: pages were not read because the programs for OCR are not installed.
 */
export const DocumentText = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string().max(MAX_DOCUMENT_TEXT + 10_000), cut: z.boolean(), needsOcr }),
  z.object({ kind: z.literal("refused"), why: z.string().max(2000), needsOcr }),
]);
export type DocumentText = z.infer<typeof DocumentText>;

/** Whether a text is a page of HTML. */
export const isHtml = (text: string): boolean =>
  /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 4096));

/** Whether a text is a mail: two headers that every mail has, before the first empty line. */
export const isMail = (text: string): boolean => {
  const head = text.slice(0, 64 * 1024).split(/\r?\n\r?\n/, 1)[0] ?? "";
  return /^[A-Za-z-]+:/.test(head) && /^From:/im.test(head) && /^(Date|Message-ID|MIME-Version|Received):/im.test(head);
};

/** Number of lines that are read to find separated values. */
const PROBED_LINES = 10;

/** Whether the first lines of a text have the same number of separators, at least one. */
export const isTable = (text: string): boolean => {
  const lines = text.split("\n", PROBED_LINES + 1).slice(0, -1);
  // Separators in quotes are text.
  const unquotedLines = lines.map((line) => line.replace(/"[^"]*"/gu, ""));
  return ["\t", ",", ";"].some((separator) => {
    const counts = unquotedLines.map((line) => line.split(separator).length);
    return counts.length >= 2 && (counts[0] ?? 1) > 1 && counts.every((count) => count === counts[0]);
  });
};

/** Number of the hash's digits in the marks around a text. A file cannot contain its own hash. */
const MARK_LENGTH = 10;

/** Returns the beginning of a document's text for a model, between marks, with a note about its length. */
export const excerptOf = (
  { name, hash, path }: { readonly name: string; readonly hash: string; readonly path?: string | undefined },
  { text, cut }: { readonly text: string; readonly cut: boolean },
  maxLength: number,
): string => {
  const mark = hash.slice(0, MARK_LENGTH);
  const shownText = text.slice(0, maxLength).toWellFormed();
  const readHint = path === undefined ? "" : `; the tool read shows the rest of ${path}`;
  const isWhole = shownText.length === text.length && !cut;
  const cutNote = isWhole
    ? ""
    : `\n[cut: the first ${shownText.length} of ${text.length}${cut ? "+" : ""} characters${readHint}]`;
  const note = citationNote({ name, hash }, shownText);
  const citationText = note === undefined ? "" : `\n${note}`;
  return `[file ${mark}: the text of ${JSON.stringify(name)}, until ${mark} ends]\n${shownText}${cutNote}\n[end ${mark}]${citationText}`;
};
