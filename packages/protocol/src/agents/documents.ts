/** Documents as text: what a conversion returns, its limits, and how a model reads it. */
import { z } from "zod";

/** Largest document that is converted. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Longest text of one document, in UTF-16 code units. The rest is left out. */
export const MAX_DOCUMENT_TEXT = 2_000_000;
/** Longest time of one conversion. */
export const DOCUMENT_SECONDS = 30;

/** `cut`: the text is not all of the document. `why` of a refusal is one sentence. */
export const DocumentText = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string().max(MAX_DOCUMENT_TEXT + 10_000), cut: z.boolean() }),
  z.object({ kind: z.literal("refused"), why: z.string().max(2000) }),
]);
export type DocumentText = z.infer<typeof DocumentText>;

/** Whether a text is a page of HTML. */
export const isPage = (text: string): boolean =>
  /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 4096));

/** Whether a text is a mail: two headers that every mail has, before the first empty line. */
export const isMail = (text: string): boolean => {
  const head = text.slice(0, 64 * 1024).split(/\r?\n\r?\n/, 1)[0] ?? "";
  return /^[A-Za-z-]+:/.test(head) && /^From:/im.test(head) && /^(Date|Message-ID|MIME-Version|Received):/im.test(head);
};

/** Lines that are read to find separated values. */
const PROBED_LINES = 10;

/** Whether the first lines of a text have the same number of separators, at least one. */
export const isTable = (text: string): boolean => {
  const lines = text.split("\n", PROBED_LINES + 1).slice(0, -1);
  // Separators in quotes are text.
  const bare = lines.map((line) => line.replace(/"[^"]*"/gu, ""));
  return ["\t", ",", ";"].some((separator) => {
    const counts = bare.map((line) => line.split(separator).length);
    return counts.length >= 2 && (counts[0] ?? 1) > 1 && counts.every((count) => count === counts[0]);
  });
};

/** Digits of the hash that mark where a text ends. A file cannot contain its own hash. */
const MARK_LENGTH = 10;

/** The beginning of a document's text for a model, between marks, with a note of how much it is. */
export const excerptOf = (
  { name, hash, path }: { readonly name: string; readonly hash: string; readonly path?: string | undefined },
  { text, cut }: { readonly text: string; readonly cut: boolean },
  maxLength: number,
): string => {
  const mark = hash.slice(0, MARK_LENGTH);
  const shown = text.slice(0, maxLength).toWellFormed();
  const where = path === undefined ? "" : `; the tool read shows the rest of ${path}`;
  const isWhole = shown.length === text.length && !cut;
  const rest = isWhole
    ? ""
    : `\n[cut: the first ${shown.length} of ${text.length}${cut ? "+" : ""} characters${where}]`;
  return `[file ${mark}: the text of ${JSON.stringify(name)}, until ${mark} ends]\n${shown}${rest}\n[end ${mark}]`;
};
